import net from 'node:net';

const maxHeld = 64;

/**
 * A listening socket that answers connects before anyone is there to serve them: leadership must listen before
 * it claims a number, and the store opens only after that. Early connections wait, unread, until `serve`.
 */
export class HoldingServer extends net.Server {
  private readonly held = new Set<net.Socket>();
  private readonly others: net.Server[] = [];
  private onSocket: ((socket: net.Socket) => void) | undefined;

  constructor() {
    super({ pauseOnConnect: true });
    this.on('connection', (socket: net.Socket) => this.receive(socket));
  }

  /** Hands every connection, held ones first, to `onSocket`. Once. */
  serve(onSocket: (socket: net.Socket) => void): void {
    this.onSocket = onSocket;
    for (const socket of this.held) this.pass(socket, onSocket);
    this.held.clear();
  }

  /** Listens on `address` and resolves; rejects with the system's error. */
  listenOn(address: string): Promise<void> {
    return listen(this, address);
  }

  /** Listens again where the name of the socket was removed (a cleaner of temporary files). */
  async listenAgain(address: string): Promise<void> {
    const server = net.createServer({ pauseOnConnect: true }, (socket) => this.receive(socket));
    await listen(server, address);
    this.others.push(server);
  }

  /** Stops listening and drops what was held; served sockets are their server's. */
  async end(): Promise<void> {
    for (const socket of this.held) socket.destroy();
    this.held.clear();
    for (const server of [this, ...this.others]) if (server.listening) server.close();
    await Promise.resolve();
  }

  private receive(socket: net.Socket): void {
    if (this.onSocket) {
      this.pass(socket, this.onSocket);
      return;
    }
    if (this.held.size >= maxHeld) {
      socket.destroy();
      return;
    }
    this.held.add(socket);
    const drop = () => this.held.delete(socket);
    socket.once('error', drop).once('close', drop);
  }

  private pass(socket: net.Socket, onSocket: (socket: net.Socket) => void): void {
    if (socket.destroyed) return;
    onSocket(socket);
    socket.resume();
  }
}

function listen(server: net.Server, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

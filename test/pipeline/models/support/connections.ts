/** Loaded before a program: writes down every connection that it opens, resolves or starts, and lets it happen. */
import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import net from 'node:net';

type Call = (this: unknown, ...args: unknown[]) => unknown;

const file = process.env['CONNECTIONS_FILE'] ?? '';
const note = (what: object) => appendFileSync(file, `${JSON.stringify(what)}\n`);

/** Puts `before` in front of a function of a module. */
function watch(owner: object, name: string, before: (args: unknown[]) => object): void {
  const functions = owner as Record<string, Call>;
  const original = functions[name];
  if (!original) throw new Error(`there is no ${name}`);
  functions[name] = function (this: unknown, ...args: unknown[]) {
    note(before(args));
    return original.apply(this, args);
  };
}

watch(net.Socket.prototype, 'connect', (args) => {
  const given: unknown = Array.isArray(args[0]) ? (args[0] as unknown[])[0] : args[0];
  const target = typeof given === 'object' && given !== null ? (given as { path?: string }) : { port: given };
  return 'path' in target && target.path
    ? { kind: 'local', path: target.path }
    : { kind: 'outbound', ...target };
});
for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6']) {
  watch(dns, name, ([host]) => ({ kind: 'dns', host }));
}
watch(dgram, 'createSocket', () => ({ kind: 'udp' }));
for (const name of ['spawn', 'execFile', 'exec', 'fork', 'spawnSync', 'execFileSync', 'execSync']) {
  watch(childProcess, name, ([program]) => ({ kind: 'process', program }));
}
watch(globalThis, 'fetch', ([url]) => ({ kind: 'fetch', url }));

import { fileURLToPath } from 'node:url';

/** The part of the MCP server that tells where its client works. */
export interface RootsClient {
  getClientCapabilities(): { roots?: unknown } | undefined;
  listRoots(params?: undefined, options?: { timeout?: number }): Promise<{ roots: { uri: string }[] }>;
}

const timeoutMs = 3000;

/** The folder that the client works in: its first root on this disk, else `cwd`. */
export async function clientFolder(client: RootsClient, cwd: string): Promise<string> {
  if (!client.getClientCapabilities()?.roots) return cwd;
  try {
    const { roots } = await client.listRoots(undefined, { timeout: timeoutMs });
    for (const { uri } of roots) {
      const folder = folderOf(uri);
      if (folder) return folder;
    }
  } catch {
    // A client that can't say has started us in its folder.
  }
  return cwd;
}

function folderOf(uri: string): string | undefined {
  try {
    const url = new URL(uri);
    return url.protocol === 'file:' ? fileURLToPath(url) : undefined;
  } catch {
    return undefined;
  }
}

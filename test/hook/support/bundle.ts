import { build } from 'esbuild';
import path from 'node:path';

const root = path.resolve(__dirname, '../../..');

/** Bundles one program of the repository, as the build does, and returns the file. `entry` is relative to the root. */
export async function bundle(entry: string, outFile: string): Promise<string> {
  await build({
    entryPoints: [path.join(root, entry)],
    outfile: outFile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    mainFields: ['module', 'main'],
    minify: true,
    logLevel: 'warning',
    define: { 'process.env.KIRO_LEARN_VERSION': '"0.0.0-test"' },
    external: ['vscode'],
  });
  return outFile;
}

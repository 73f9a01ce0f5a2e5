import { build } from 'esbuild';
import { cp, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

const root = path.resolve(__dirname, '../../..');
const require = createRequire(__filename);

/** Bundles the pages and the collector's worker from the sources, as the product's build does. */
export async function buildPage(target: string): Promise<void> {
  await mkdir(path.join(target, 'webview'), { recursive: true });
  const common = { bundle: true, minify: true, tsconfig: path.join(root, 'tsconfig.json') } as const;
  await build({
    ...common,
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    entryPoints: [path.join(root, 'webview/main.ts')],
    outfile: path.join(target, 'webview/panel.js'),
  });
  for (const [name, entry] of [
    ['worker', 'src/worker.ts'],
    ['hook', 'src/hook/main.ts'],
    ['offline', 'src/hook/offline.ts'],
  ] as const) {
    await build({
      ...common,
      platform: 'node',
      format: 'cjs',
      mainFields: ['module', 'main'],
      target: 'node20',
      entryPoints: [path.join(root, entry)],
      outfile: path.join(target, `${name}.js`),
    });
  }
  await cp(require.resolve('sql.js/dist/sql-wasm.wasm'), path.join(target, 'sql-wasm.wasm'));
  const codicons = path.dirname(require.resolve('@vscode/codicons/dist/codicon.css'));
  for (const file of ['codicon.css', 'codicon.ttf']) {
    await cp(path.join(codicons, file), path.join(target, 'webview', file));
  }
}

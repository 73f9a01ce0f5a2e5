/** Bundles every process of the product into dist/. `--watch` is not offered: a build takes two seconds. */
import { build } from 'esbuild';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);
const root = path.resolve(import.meta.dirname, '..');
const dist = path.join(root, 'dist');
const manifest = require('../package.json');

/** zod carries its messages in fifty languages; ours are English, and people see texts of our own. */
const englishOnly = {
  name: 'english-only',
  setup(build) {
    build.onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.c?js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
      loader: 'js',
      resolveDir: path.join(root, 'node_modules', 'zod', 'v4', 'locales'),
    }));
  },
};

const node = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  minify: true,
  legalComments: 'none',
  charset: 'utf8',
  logLevel: 'warning',
  define: { 'process.env.KIRO_LEARN_VERSION': JSON.stringify(manifest.version) },
  external: ['vscode'],
  plugins: [englishOnly],
  // jsonc-parser's UMD build hides its parts from the bundler.
  mainFields: ['module', 'main'],
};

const programs = {
  extension: 'src/extension.ts',
  worker: 'src/worker.ts',
  hook: 'src/hook/main.ts',
  offline: 'src/hook/offline.ts',
  cli: 'src/cli/main.ts',
  mcp: 'src/mcp/main.ts',
  uninstall: 'src/uninstall.ts',
};
const pages = { panel: 'webview/main.ts' };

async function bundlePrograms() {
  for (const [name, entry] of Object.entries(programs)) {
    if (!existsSync(path.join(root, entry))) continue;
    await build({ ...node, entryPoints: [path.join(root, entry)], outfile: path.join(dist, `${name}.js`) });
  }
}

async function bundlePages() {
  const out = path.join(dist, 'webview');
  for (const [name, entry] of Object.entries(pages)) {
    if (!existsSync(path.join(root, entry))) continue;
    await build({
      bundle: true,
      platform: 'browser',
      target: 'es2022',
      format: 'iife',
      minify: true,
      legalComments: 'none',
      logLevel: 'warning',
      loader: { '.css': 'text' },
      plugins: [englishOnly],
      tsconfig: path.join(root, 'tsconfig.json'),
      entryPoints: [path.join(root, entry)],
      outfile: path.join(out, `${name}.js`),
    });
  }
  for (const style of existsSync(path.join(root, 'webview')) ? readdirSync(path.join(root, 'webview')) : []) {
    if (style.endsWith('.css')) await cp(path.join(root, 'webview', style), path.join(out, style));
  }
  const codicons = path.dirname(require.resolve('@vscode/codicons/dist/codicon.css'));
  for (const file of ['codicon.css', 'codicon.ttf'])
    await cp(path.join(codicons, file), path.join(out, file));
}

async function copyAssets() {
  await cp(require.resolve('sql.js/dist/sql-wasm.wasm'), path.join(dist, 'sql-wasm.wasm'));
  const embedding = path.join(root, 'media', 'embedding');
  if (existsSync(embedding)) await cp(embedding, path.join(dist, 'embedding'), { recursive: true });
}

for (const old of existsSync(dist) ? readdirSync(dist) : []) {
  if (!old.endsWith('.vsix')) await rm(path.join(dist, old), { recursive: true, force: true });
}
await mkdir(path.join(dist, 'webview'), { recursive: true });
await Promise.all([bundlePrograms(), bundlePages(), copyAssets()]);
await writeFile(path.join(dist, 'version.txt'), `${manifest.version}\n`);

/** A run of characters that paths are spelled with; other scripts end it, as they are written without spaces. */
const RUN = /[\p{Script=Latin}\p{N}_@.~$()[\]/\\:+-]{3,300}/gu;

/** Extensions of files in a project; a dotted word with another ending is a method, a host or a version. */
const KNOWN = new Set(
  (
    'ts tsx js jsx mjs cjs mts cts json jsonc json5 yml yaml toml ini env conf cfg properties lock xml html htm css scss ' +
    'sass less md mdx rst txt adoc csv tsv sql prisma graphql gql proto py pyi ipynb rb php go rs java kt kts scala swift c ' +
    'h cc cpp hpp cxx cs fs vb m mm lua pl pm r jl dart ex exs erl hs clj cljs vue svelte astro sh bash zsh fish ps1 bat ' +
    'cmd tf tfvars hcl nix dockerfile gradle sbt cmake mk typ tex bib patch diff log snap svg png jpg jpeg gif pdf ttf ' +
    'woff woff2 geojson parquet avro feather db sqlite blade twig erb ejs hbs j2 tmpl tpl zig v sv vhd ino ldif service'
  ).split(' '),
);

/** Paths of files named in `text`, in order, each once, as they were spelled. */
export function pathsIn(text: string): string[] {
  const found: string[] = [];
  for (const [run] of text.matchAll(RUN)) {
    const path = trimmed(run);
    if (isPath(path) && !found.includes(path)) found.push(path);
  }
  return found;
}

/** Without the punctuation of the sentence around it and without a position in the file (`a.ts:14:3`). */
function trimmed(run: string): string {
  let path = run.replace(/^[.:]+(?=[^./\\])/, '');
  for (let before = ''; before !== path;) {
    before = path;
    path = path.replace(/[.,:]$/, '').replace(/:\d{1,7}$/, '');
    if (/^[([]/.test(path) && !/^\([^()]*\)|^\[[^[\]]*\]/.test(path)) path = path.slice(1);
    if (/[)\]]$/.test(path) && !/\([^()]*\)$|\[[^[\]]*\]$/.test(path)) path = path.slice(0, -1);
    if (/^\([^()]*\)$|^\[[^[\]]*\]$/.test(path)) path = path.slice(1, -1);
  }
  return path;
}

function isPath(path: string): boolean {
  if (path.length < 3 || path.includes('://') || /^\d+(?:[./]\d+)*$/.test(path)) return false;
  const drive = /^[A-Za-z]:[\\/]/.test(path);
  if (!drive && path.includes(':')) return false;
  const extension = /\.([A-Za-z][A-Za-z0-9]*)$/.exec(path)?.[1]?.toLowerCase();
  const separators = path.match(/[\\/]/g)?.length ?? 0;
  if (extension !== undefined && KNOWN.has(extension)) return !/[()]/.test(path) || separators > 0;
  return separators >= 2 && !path.startsWith('@') && /\p{L}{2}/u.test(path);
}

/** Ends like a file rather than a route or a folder. */
export function hasExtension(path: string): boolean {
  return /\.[A-Za-z]\w{0,11}$/.test(path);
}

/**
 * `path` as a record keeps it: `/` separators, relative to `root` where it lies inside. Windows paths match
 * their root whatever the case.
 */
export function projectPath(path: string, root: string | undefined): string {
  const plain = path.replace(/\\/g, '/').replace(/^\.\//, '');
  if (!root) return plain;
  const base = root.replace(/\\/g, '/').replace(/\/+$/, '');
  const windows = /^[A-Za-z]:\//.test(base);
  const inside = windows
    ? plain.toLowerCase().startsWith(`${base.toLowerCase()}/`)
    : plain.startsWith(`${base}/`);
  return inside ? plain.slice(base.length + 1) : plain;
}

/** The last segment of a path. */
export function fileName(path: string): string {
  return path.replace(/\\/g, '/').split('/').at(-1) ?? path;
}

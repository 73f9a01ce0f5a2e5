/** Programs that only look; a command made of nothing else changed nothing and proved nothing. */
const LOOKING = new Set(
  (
    'cat ls dir head tail less more grep egrep rg ag find fd pwd echo which where whereis type env printenv wc tree stat ' +
    'file ps top df du date whoami hostname id uname history get-content get-childitem select-string gc gci jq yq awk ' +
    'sort uniq cut tr column sleep true cd test'
  ).split(' '),
);

/** Programs whose looking is told by a sub command. */
const LOOKING_SUB =
  /^(?:git (?:status|log|diff|show|branch|remote|blame|worktree list|rev-parse|ls-files|describe|tag -l|stash list)|gh \w+ (?:list|view|status|checks)|glab \w+ (?:list|view)|docker (?:ps|images|logs|stats|inspect|info|version)|docker compose (?:ps|logs|config)|podman (?:ps|images|logs)|kubectl (?:get|describe|logs|top|config)|(?:npm|pnpm|yarn) (?:ls|list|view|info|why|outdated|config get)|pip3? (?:list|show|freeze)|poetry show|cargo (?:tree|metadata)|go (?:list|env|version|doc)|terraform (?:show|output|state list)|wsl -l|systemctl (?:status|list-units)|journalctl|helm (?:list|status|get)|aws \S+ (?:describe|list|get)\S*|composer show|bundle (?:list|show))\b/;

const WRAPPER = /^(?:sudo|time|nohup|env|command|exec)\s+/;
const ASSIGNMENTS = /^(?:[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|\S*)\s+)+/;

/** The steps of a command line that run one after another; pipes stay together. */
export function steps(command: string): string[] {
  return command
    .split(/\s*(?:&&|\|\||;|\n|(?<![>&])&(?![>&\d]))\s*/)
    .map((step) => step.replace(/^(?:do|then|else)\s+/, '').trim())
    .filter((step) => step !== '' && !/^(?:for|while|if|done|fi|cd)\b/.test(step));
}

/** True where nothing in the command line changes or checks anything. */
export function onlyLooks(command: string): boolean {
  if (/(?:^|[^>&\d])>{1,2}(?![&=])\s*\S/.test(command.replace(/\d?>\s*\/dev\/null|2>&1/g, ''))) return false;
  return steps(command).every((step) => {
    const plain = unwrap(step);
    if (/(?:^|\s)--(?:version|help)\b/.test(plain)) return true;
    if (LOOKING_SUB.test(plain)) return true;
    return LOOKING.has((plain.split(/\s+/)[0] ?? '').toLowerCase());
  });
}

function unwrap(step: string): string {
  let plain = step.replace(ASSIGNMENTS, '');
  while (WRAPPER.test(plain)) plain = plain.replace(WRAPPER, '').replace(ASSIGNMENTS, '');
  return plain.replace(/^\((.*)\)$/, '$1').trim();
}

/** One spelling for a command that is run again: assignments, output filters and redirects left out. */
export function commandKey(command: string): string {
  return command
    .replace(/\s*2>&1|\s*\d?>\s*\/dev\/null/g, '')
    .replace(/^\s*cd\s+\S+\s*&&\s*/, '')
    .replace(/\s*\|\s*(?:tail|head|tee|grep|cat|less|sort|wc)\b[^|]*$/g, '')
    .replace(ASSIGNMENTS, '')
    .replace(/\s+/g, ' ')
    .trim();
}

const CHECKING =
  /^(?:test|tests|pytest|jest|vitest|check|lint|build|vet|tsc|typecheck|verify|spec|clippy|mypy|ruff|validate|plan)/;

/**
 * Whether a later command runs again what `failed` ran: the same words, flags left aside, as the whole
 * command or as one step of it; or a wider check that includes it.
 */
export function runsAgain(failed: string, later: string): boolean {
  const lost = steps(commandKey(failed)).filter((step) => !onlyLooks(step));
  const found = steps(commandKey(later)).filter((step) => !onlyLooks(step));
  if (lost.length === 0 || found.length === 0) return false;
  const last = lost.length === 1 ? lost : lost.slice(-1);
  return last.every((step) => found.some((other) => sameStep(step, other)));
}

function sameStep(failed: string, later: string): boolean {
  const a = words(failed);
  const b = words(later);
  if (a.length === 0 || b.length === 0 || a[0] !== b[0]) return false;
  const added = b.filter((word) => !a.includes(word));
  const lost = a.filter((word) => !b.includes(word));
  if (
    added.every((word) => isOptionValue(later, word)) &&
    lost.every((word) => isOptionValue(failed, word))
  ) {
    return lost.length === 0 || added.length === 0;
  }
  return added.length === 0 && b.some((word) => CHECKING.test(word)) && a.some((word) => CHECKING.test(word));
}

function words(step: string): string[] {
  return unwrap(step)
    .split(/\s+/)
    .map(unquoted)
    .filter((word) => word !== '' && !word.startsWith('-') && !/^\d?>/.test(word));
}

function unquoted(word: string): string {
  return word.replace(/^["']|["']$/g, '');
}

/** Follows an option that may take it as its value. */
function isOptionValue(step: string, word: string): boolean {
  const all = step.split(/\s+/).map(unquoted);
  return /^-{1,2}[A-Za-z][\w-]*$/.test(all[all.indexOf(word) - 1] ?? '');
}

const PURPOSES: readonly (readonly [string, RegExp])[] = [
  ['tests', /^(?:test|tests|pytest|jest|vitest|rspec|phpunit|pest|spec|ctest|nextest)$/],
  ['benchmarks', /^(?:bench|benchmark|k6|wrk|hyperfine|criterion)$/],
  [
    'formatting and linting',
    /^(?:lint|format|fmt|prettier|eslint|biome|ruff|black|gofmt|golangci-lint|clippy|rubocop)$/,
  ],
  ['type checking', /^(?:tsc|typecheck|type-check|mypy|pyright)$/],
  ['migrations', /^(?:\w+:)?migrat\w*$|^(?:alembic|flyway)$/],
  ['code generation', /^(?:\w+:)?(?:codegen|generate|protoc|sqlc)$/],
  ['builds', /^(?:build|compile|bundle)$/],
  ['deployment', /^(?:\.\/)?(?:deploy\S*|kamal|helm|terraform|ansible\S*|fly|rsync|publish)$/],
  ['installation', /^(?:install|add|sync|restore|remove|uninstall)$/],
  ['starting services', /^(?:up|start|serve|dev)$/],
];

/** What a command is for, in words that a question would use; undefined where its words don't say. */
export function purpose(command: string): string | undefined {
  const plain = command.replace(/"[^"]*"|'[^']*'/g, '');
  if (/^git\b/.test(plain)) return undefined;
  const all = steps(plain).flatMap(words);
  return PURPOSES.find(([, pattern]) => all.some((word) => pattern.test(word)))?.[0];
}

const RUNNER =
  /^(?:(?:uv|poetry|pipenv|pdm|rye|hatch|npm|pnpm|yarn|bun) (?:run|exec|dlx)|npx|bunx|bundle exec|python3? -m|docker compose (?:exec|run)(?: --rm)? \S+)\s+/;

/** A command in two words: its program and what it is told to do (`pnpm --filter web test` is `pnpm test`). */
export function commandGist(command: string): string {
  const [step = ''] = steps(commandKey(command));
  const [program = '', ...rest] = words(step.replace(RUNNER, '').replace(RUNNER, ''));
  const verb = rest.find((word) => /^[a-z][a-z:-]+$/.test(word) && !isOptionValue(step, word));
  return verb === undefined ? program : `${program} ${verb}`;
}

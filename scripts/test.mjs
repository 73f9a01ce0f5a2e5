// What `npm test` runs: everything from a fresh clone to one line with the counts of both suites.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const results = path.join(root, 'out', 'test-results');
const suites = [
  { name: 'unit', config: 'vitest.config.ts' },
  { name: 'host', config: 'vitest.host.config.ts' },
];

/** Runs a program in the repository with its output shown; gives whether it succeeded. */
function run(program, ...args) {
  const shell = process.platform === 'win32';
  return spawnSync(program, args, { cwd: root, stdio: 'inherit', shell }).status === 0;
}

function readJson(...parts) {
  return JSON.parse(readFileSync(path.join(root, ...parts), 'utf8'));
}

/** The dependencies of package.json that are missing from node_modules or there in another version. */
function staleDependencies() {
  const { dependencies = {}, devDependencies = {} } = readJson('package.json');
  return Object.entries({ ...dependencies, ...devDependencies })
    .filter(([name, version]) => {
      const manifest = path.join('node_modules', name, 'package.json');
      return !existsSync(path.join(root, manifest)) || readJson(manifest).version !== version;
    })
    .map(([name]) => name);
}

function installDependencies() {
  const stale = staleDependencies();
  if (stale.length === 0) return true;
  console.log(`installing packages (npm ci): ${stale.length} missing or outdated`);
  return run('npm', 'ci');
}

/**
 * Runs one suite and counts its tests from vitest's own report. A file that fails before its first test, an error
 * outside every test and a run without a report count as one failure each, so that none can pass unseen.
 */
function runSuite({ name, config }) {
  const report = path.join(results, `${name}.json`);
  rmSync(report, { force: true });
  console.log(`\n== ${name} tests`);
  const succeeded = run(
    'npx',
    '--no-install',
    'vitest',
    'run',
    '--config',
    config,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  );
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0 };
  const { testResults, numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(
    readFileSync(report, 'utf8'),
  );
  const failedFiles = testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  );
  const counted = numFailedTests + failedFiles.length;
  return {
    passed: numPassedTests,
    failed: counted === 0 && !succeeded ? 1 : counted,
    skipped: numPendingTests + numTodoTests,
  };
}

function summary({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function main() {
  const total = { passed: 0, failed: 0, skipped: 0 };
  const add = (counts) => {
    for (const key of Object.keys(total)) total[key] += counts[key];
  };
  if (process.platform === 'linux' && process.getuid?.() === 0) run('sh', 'scripts/ensure-debian.sh');
  if (!installDependencies()) {
    add({ passed: 0, failed: 1, skipped: 0 });
  } else {
    mkdirSync(results, { recursive: true });
    const hasPackage = readJson('package.json').scripts?.package !== undefined;
    if (hasPackage && !run('npm', 'run', '--silent', 'package')) {
      console.error('npm run package failed');
      add({ passed: 0, failed: 1, skipped: 0 });
    }
    for (const suite of suites) add(runSuite(suite));
  }
  console.log(summary(total));
  return total.failed === 0 ? 0 : 1;
}

process.exitCode = main();

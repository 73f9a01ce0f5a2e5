// What `npm test` runs: everything from a fresh clone to one line with the counts of both suites.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureModules } from './modules.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const results = path.join(root, 'out', 'test-results');
const suites = [
  { name: 'unit', config: 'vitest.config.mts' },
  { name: 'host', config: 'vitest.host.config.mts' },
];

/** Runs a program in the repository with its output shown; gives whether it succeeded. */
function run(program, ...args) {
  const shell = process.platform === 'win32';
  return spawnSync(program, args, { cwd: root, stdio: 'inherit', shell }).status === 0;
}

function hasScript(name) {
  const { scripts = {} } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  return scripts[name] !== undefined;
}

/** The tests of a report that did not run; a file without any test counts as one. */
function skippedTests(testResults) {
  return testResults.flatMap((file) => {
    const name = path.relative(root, file.name);
    if (file.assertionResults.length === 0) return file.status === 'failed' ? [] : [name];
    return file.assertionResults
      .filter((test) => test.status !== 'passed' && test.status !== 'failed')
      .map((test) => `${name}: ${test.fullName}`);
  });
}

/**
 * Runs one suite and counts its tests from vitest's own report. A file that fails before its first test, an error
 * outside every test and a run without a report count as one failure each, so that none can pass unseen.
 */
function runSuite({ name, config }) {
  const report = path.join(results, `${name}.json`);
  rmSync(report, { force: true });
  console.log(`\n== ${name} tests`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const succeeded = run('npx', '--no-install', 'vitest', 'run', '--config', config, ...reporters);
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: [] };
  const { testResults, numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'));
  const failedFiles = testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  );
  const failed = numFailedTests + failedFiles.length;
  return {
    passed: numPassedTests,
    failed: failed === 0 && !succeeded ? 1 : failed,
    skipped: skippedTests(testResults),
  };
}

function summary(counts) {
  const sum = (key) => counts.reduce((total, count) => total + count[key], 0);
  const skipped = counts.flatMap((count) => count.skipped);
  const line = `${sum('passed')} passed, ${sum('failed')} failed`;
  return skipped.length > 0 ? `${line}, ${skipped.length} skipped` : line;
}

function main() {
  const counts = [];
  const fail = (what) => {
    console.error(`${what} failed`);
    counts.push({ passed: 0, failed: 1, skipped: [] });
  };
  if (process.platform === 'linux' && process.getuid?.() === 0) run('sh', 'scripts/ensure-debian.sh');
  if (!ensureModules()) {
    fail('npm ci');
  } else {
    mkdirSync(results, { recursive: true });
    if (hasScript('package') && !run('npm', 'run', '--silent', 'package')) fail('npm run package');
    for (const suite of suites) counts.push(runSuite(suite));
  }
  const skipped = counts.flatMap((count) => count.skipped);
  if (skipped.length > 0) console.log(`\nskipped:\n  ${skipped.join('\n  ')}`);
  console.log(`\n${summary(counts)}`);
  return counts.some((count) => count.failed > 0) ? 1 : 0;
}

process.exitCode = main();

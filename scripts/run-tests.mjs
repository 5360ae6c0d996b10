// Runs the tests of files or folders, or all but test/crash and test/fault:
// node scripts/run-tests.mjs [--tap] [path…].
// In a soak (BARLINE_SOAK=1, or =full) it runs the tests that have a larger count for it, those of these
// folders included.
// Starting a process, loading the code and a first start of the service cost two seconds of a
// processor, more than most test files do, so the files of a folder share a process. In a soak,
// where that no longer counts, each file has a process of its own.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { globSync } from 'tinyglobby';
import { writeTestProgram } from './test-program.mjs';

/** For all files of a process together, on a machine that others use too; in a full soak for one file. */
const MINUTES_MAX = process.env.BARLINE_SOAK === 'full' ? 400 : 20;
/** Files of one process: as many as leave both processors busy to the end. */
const TOGETHER_MAX = 80;
/** Those of test/crash wait for processes that they start: one process with all of them took 20 minutes. */
const CRASH_TOGETHER_MAX = 7;

/** Folders whose tests share a process, since they take less than its start. */
const small = ['deployment', 'docs', 'http', 'mcp', 'report', 'rpc', 'workers'];

/** Processes that take longest, the longest first, so that no long one runs alone at the end. */
const longest = [
  ...[
    'unit-service',
    'contract-contract',
    'unit-cli',
    'fault',
    'property',
    'unit-data',
    'unit-research',
    'contract-mcp',
  ],
  ...['contract', 'browser', 'unit-server', 'unit-cli-documents'],
];

/** These have a process of their own. */
const alone = [
  'test/contract/contract.test.ts', // as long as many others together
  'test/contract/mcp.test.ts',
  'test/fault/hostile-requests.test.ts',
  'test/crash/additions.test.ts', // minutes, in a copy of the tree
  'test/unit/cli/documents.test.ts',
  'test/unit/engine/series/', // shared memory of a process
  'test/unit/server/heap-growth.test.ts', // the heap of a process
];

/**
 * These measure the memory of a process over many minutes. The faster its work goes, the more of it
 * is in memory at once, so in a soak they run one after the other when all else has ended. A
 * service that ran experiments took 890 MB beside other tests and 970 MB alone.
 */
const lastInSoak = ['test/crash/service-memory.test.ts', 'test/crash/sweep-memory.test.ts'];

const isAlone = (file) => alone.some((each) => file.startsWith(each));

/**
 * The name of the process in which a file runs: a folder such as `test/fault` or `test/unit/rpc`.
 */
function processOf(file) {
  const path = file.replace('.test.ts', '').split('/').slice(1);
  if (path[0] === 'unit' && small.includes(path[1])) return 'unit-small';
  return path.slice(0, isAlone(file) ? path.length : path[0] === 'unit' ? 2 : 1).join('-');
}

/** Folders with a command of their own: what breaks, and what is sent to break it. */
const apart = ['test/crash/**', 'test/fault/**'];

const isSoak = (process.env.BARLINE_SOAK ?? '') !== '';
const isTap = process.argv.includes('--tap');
const paths = process.argv.slice(2).filter((argument) => argument !== '--tap');
/**
 * Processes at a time, for two processors. Tests wait for timers, processes and sockets: two used
 * 84 % of both. What takes long and much memory, such as a soak, gets no third.
 */
const PROCESSES = isSoak ? 2 : 3;
const asked = paths.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`));
const chosen = paths.length > 0 ? globSync(asked) : globSync('test/**/*.test.ts', { ignore: isSoak ? [] : apart });
const files = chosen.filter((file) => !isSoak || paths.length > 0 || hasSoak(file)).sort();
if (files.length === 0) {
  console.error(`no tests in ${paths.join(', ')}`);
  process.exit(2);
}
const isLast = (file) => isSoak && lastInSoak.includes(file);
const codes = [
  run(isSoak ? files.filter((file) => !isLast(file)).map(programOf) : programs(), PROCESSES),
  ...files.filter(isLast).map((file) => run([programOf(file)], 1)),
];
process.exitCode = Math.max(...codes);

/** Runs programs of tests. @returns the exit code */
function run(programs, processes) {
  const { status } = spawnSync(
    process.execPath,
    [
      ...(isSoak ? ['--enable-source-maps'] : []), // reading the maps takes a fifth of each start
      '--test',
      `--test-concurrency=${processes}`,
      `--test-timeout=${MINUTES_MAX * 60_000}`,
      ...['--test-reporter', isTap ? 'tap' : './scripts/test-reporter.mjs', '--test-reporter-destination', 'stdout'],
      ...programs,
    ],
    // Away from UTC, so that what reads or writes local time fails.
    { stdio: 'inherit', env: { ...process.env, TZ: process.env.TZ ?? 'America/New_York' } },
  );
  return status ?? 1;
}

/** Whether a test, or a file that it imports from beside it, has larger counts for a soak. */
function hasSoak(file) {
  const text = readFileSync(file, 'utf8');
  if (/\/support\/scale\.js'/.test(text)) return true;
  const beside = [...text.matchAll(/'(\.\/[^']+)\.js'/g)].map(([, path]) => join(dirname(file), `${path}.ts`));
  return beside.some(hasSoak);
}

/** A program for one file, which names the test of an error that nothing catches. */
function programOf(file) {
  const path = `dist/test/alone/${file.slice('test/'.length).replaceAll('/', '-').replace(/ts$/, 'js')}`;
  writeTestProgram(path, [compiled(file)], ['scripts/sealed-prototypes.mjs']);
  return path;
}

function compiled(file) {
  return `dist/${file.replace(/ts$/, 'js')}`;
}

/**
 * One program for each process, which imports its files. The runner of Node.js 20 follows every
 * promise to the test that made it, for the sake of errors that nothing catches: a sixth of the
 * processor time of the contract tests. Without that such an error fails the process with its text,
 * and a soak, or a file run by itself, names the test.
 */
function programs() {
  const groups = new Map();
  for (const file of files) {
    const name = processOf(file);
    groups.set(name, [...(groups.get(name) ?? []), file]);
  }
  rmSync('dist/test/together', { recursive: true, force: true });
  return [...groups].flatMap(([name, members]) => {
    const parts = Math.ceil(members.length / (name === 'crash' ? CRASH_TOGETHER_MAX : TOGETHER_MAX));
    return Array.from({ length: parts }, (_, part) => {
      const own = members.filter((_, i) => Math.floor((i * parts) / members.length) === part);
      const place = longest.indexOf(name);
      const rank = place < 0 ? longest.length : place;
      // The runner of Node.js sorts by name.
      const path = `dist/test/together/${String(rank).padStart(2, '0')}-${name}${parts === 1 ? '' : `-${part + 1}`}.test.js`;
      writeTestProgram(path, own.map(compiled), ['scripts/untracked-promises.mjs', 'scripts/sealed-prototypes.mjs']);
      return path;
    });
  });
}

// Runs the compiled tests of a folder, or all but test/crash: node scripts/run-tests.mjs [folder].
// Starting a process and loading the engine costs more than most test files do, so neighbours share
// a process. In a soak, where that no longer counts, each file has a process of its own.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';

const PROCESSES = 2;
const MINUTES_MAX = 10;
/** Files of one process: few enough that both processors are busy to the end. */
const TOGETHER_MAX = 10;

/** The files of each of these folders share processes. */
const shared = [
  'test/architecture',
  'test/property',
  ...['data', 'engine', 'http', 'mcp', 'reference', 'report', 'research', 'rpc', 'server', 'service', 'workers'].map(
    (room) => `test/unit/${room}`,
  ),
];

/** These have a process of their own, because they measure or change what other files would share. */
const alone = [
  'test/unit/engine/series/', // shared memory of a process
  'test/unit/server/heap-growth.test.ts', // the heap of a process
  'test/unit/service/deployed/column-owners.test.ts', // its shared memory
];

/** The name of the process in which a file runs. */
function processOf(file) {
  const folder = shared.find((each) => file.startsWith(`${each}/`));
  return folder === undefined || alone.some((each) => file.startsWith(each)) ? file : folder.replaceAll('/', '-');
}

const isSoak = process.env.BARLINE_SOAK === '1';
const [folder] = process.argv.slice(2);
const files = globSync(`${folder ?? 'test'}/**/*.test.ts`, { ignore: folder ? [] : ['test/crash/**'] }).sort();
const result = spawnSync(
  process.execPath,
  [
    ...(isSoak ? ['--enable-source-maps'] : []), // reading the maps takes a fifth of each start
    '--test',
    `--test-concurrency=${PROCESSES}`,
    `--test-timeout=${MINUTES_MAX * 60_000 * (isSoak ? 20 : 1)}`,
    ...(isSoak ? files.map(compiled) : programs()),
  ],
  { stdio: 'inherit' },
);
process.exitCode = result.status ?? 1;

function compiled(file) {
  return `dist/${file.replace(/ts$/, 'js')}`;
}

/** One program for each process; those of several files import them. */
function programs() {
  const groups = new Map();
  for (const file of files) {
    const name = processOf(file);
    groups.set(name, [...(groups.get(name) ?? []), file]);
  }
  rmSync('dist/test/together', { recursive: true, force: true });
  mkdirSync('dist/test/together', { recursive: true });
  return [...groups].flatMap(([name, members]) => {
    if (members.length === 1) return members.map(compiled);
    const parts = Math.ceil(members.length / TOGETHER_MAX);
    return Array.from({ length: parts }, (_, part) => {
      const own = members.filter((_, i) => Math.floor((i * parts) / members.length) === part);
      const path = `dist/test/together/${name}-${part + 1}.test.js`;
      writeFileSync(path, own.map((file) => `import '../../${compiled(file).slice('dist/'.length)}';\n`).join(''));
      return path;
    });
  });
}

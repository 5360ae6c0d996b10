import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import test from 'node:test';
import { parts, typescriptBelow } from '../support/sources.js';
import { type Export, findExports } from './exports.js';

/** What users of the npm package import: `exports` of package.json. */
const doors = ['library/index.ts', 'library/data.ts', 'library/report.ts', 'library/client.ts'];

/** Compiled on its own; WebAssembly calls what it exports. */
const assembly = 'engine/simd/assembly/';

/** Code that stands beside ours and does not ship. */
const around = ['test', 'bench', 'scripts', 'examples'];

const files = typescriptBelow([...parts, ...around]).filter((file) => !file.startsWith(assembly));
const isAround = (file: string): boolean => around.includes(file.split('/')[0]);
/** The build writes a type for every message, whether or not code names it. */
const isGenerated = (file: string): boolean => /^(contract|library\/client)\/generated\//.test(file);
const shipped = findExports(files, doors).filter(({ file }) => !isAround(file) && !isGenerated(file));

/** The files that import an export. An index serves those outside its folder. */
const usersOf = ({ file, users }: Export): string[] =>
  [...users].filter((user) => !file.endsWith('/index.ts') || !user.startsWith(`${dirname(file)}/`));

const nameOf = ({ file, name }: Export): string => `${file}: ${name}`;

test('every export is imported somewhere', () => {
  assert.ok(shipped.length > 0);
  const unused = shipped.filter((one) => usersOf(one).length === 0).map(nameOf);
  assert.deepEqual(unused, []);
});

test('what only tests import is part of a file that ships', () => {
  const tested = shipped.filter((one) => {
    const users = usersOf(one);
    return users.length > 0 && users.every(isAround) && !one.isUsedInside && !one.file.endsWith('/index.ts');
  });
  // `simulate` must equal `simulateByStep`, which tests and benches run beside it. The published
  // examples are of the whole deflated Sharpe ratio; sweeps use its parts. The build, which is
  // JavaScript, writes the structures of the AssemblyScript. Scripts train the sieve and write the
  // reference.
  assert.deepEqual(tested.map(nameOf), [
    'engine/execution/stepped-run.ts: simulateByStep',
    'engine/statistics/sharpe.ts: deflatedSharpeRatio',
    'engine/sweep/run-layout.ts: assemblyText',
    'workers/result-rows.ts: resultColumns',
    'research/sieve/train.ts: trainSieve',
    'service/config/settings-proto.ts: settingsProto',
    'service/knowledge/library.ts: referenceFiles',
  ]);
});

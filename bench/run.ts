import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../test/support/tree.js';
import * as assistant from './assistant.bench.js';
import * as backtest from './backtest.bench.js';
import * as belief from './belief.bench.js';
import * as catalogue from './catalogue.bench.js';
import * as coldstart from './coldstart.bench.js';
import * as corpus from './corpus.bench.js';
import * as experiment from './experiment.bench.js';
import * as facade from './facade.bench.js';
import * as formulas from './formulas.bench.js';
import * as indicators from './indicators.bench.js';
import * as intelligence from './intelligence.bench.js';
import { machine, type Sizes, type Timing } from './measure.js';
import * as portfolio from './portfolio.bench.js';
import * as queue from './queue.bench.js';
import * as race from './race.bench.js';
import * as scaling from './scaling.bench.js';
import * as service from './service.bench.js';
import * as settings from './settings.bench.js';
import * as sides from './sides.bench.js';
import * as sieve from './sieve.bench.js';
import * as signals from './signals.bench.js';
import * as stream from './stream.bench.js';
import * as sweepKernel from './sweep-kernel.bench.js';
import * as sweepPhases from './sweep-phases.bench.js';
import * as sweepProduct from './sweep-product.bench.js';
import * as workers from './workers.bench.js';

/**
 * `npm run bench -- [--smoke] [--accept] [--before DIR] [suite...]`: prints each suite, writes its timings to
 * bench/results/SUITE.json and compares them with bench/baseline.json; `--accept` makes them the
 * baseline. `--before` names another tree that was built, against which `sides` races.
 */
const suites: Readonly<Record<string, { run(sizes: Sizes): Promise<Timing[]> }>> = {
  indicators,
  catalogue,
  signals,
  formulas,
  backtest,
  coldstart,
  corpus,
  'sweep-kernel': sweepKernel,
  'sweep-product': sweepProduct,
  'sweep-phases': sweepPhases,
  race,
  sides,
  settings,
  portfolio,
  belief,
  scaling,
  facade,
  service,
  queue,
  experiment,
  workers,
  stream,
  intelligence,
  assistant,
  sieve,
};

/**
 * On a shared machine a ratio moves by half its size between runs, so only a large change counts as
 * slower.
 */
const SLOWER_THAN_BASELINE = 2;

const { values, positionals } = parseArgs({
  options: { smoke: { type: 'boolean' }, accept: { type: 'boolean' }, before: { type: 'string' } },
  allowPositionals: true,
});
const chosen = positionals.length > 0 ? positionals : Object.keys(suites);
const unknown = chosen.filter((name) => !Object.hasOwn(suites, name));
if (unknown.length > 0) {
  console.error(`unknown suite ${unknown.join(', ')}, known are: ${Object.keys(suites).join(', ')}`);
  process.exit(2);
}

interface Entry {
  readonly suite: string;
  readonly name: string;
  readonly bars: number;
  /** Time of the best peer over ours; null when no peer raced. */
  readonly ratio: number | null;
  /** Milliseconds. */
  readonly p50: number;
  readonly yardsticks: number;
}

const rounded = (value: number): number => Number(value.toPrecision(4));
const entryOf = (suite: string, { name, bars, ratio, p50Ms, yardsticks }: Timing): Entry => ({
  suite,
  name,
  bars,
  ratio: ratio === undefined ? null : rounded(ratio),
  p50: rounded(p50Ms),
  yardsticks: rounded(yardsticks),
});

const folder = join(root, 'bench/results');
const baselinePath = join(root, 'bench/baseline.json');
const baseline: { readonly entries: readonly Entry[] } = JSON.parse(readFileSync(baselinePath, 'utf8'));
const isSame = (a: Entry, b: Entry): boolean => a.suite === b.suite && a.name === b.name && a.bars === b.bars;

mkdirSync(folder, { recursive: true });
const measured: Entry[] = [];
for (const suite of chosen) {
  console.log(`\n${suite}`);
  const timings = await suites[suite].run({
    isSmoke: values.smoke === true,
    ...(values.before === undefined ? {} : { before: values.before }),
  });
  if (values.smoke) continue;
  const entries = timings.map((timing) => entryOf(suite, timing));
  measured.push(...entries);
  const result = { suite, ...machine(), entries };
  writeFileSync(join(folder, `${suite}.json`), `${JSON.stringify(result, null, 2)}\n`);
}

const slower = measured.flatMap((entry) => {
  const before = baseline.entries.find((one) => isSame(one, entry));
  return before !== undefined && entry.yardsticks > SLOWER_THAN_BASELINE * before.yardsticks
    ? [`${entry.name}, ${entry.bars} bars: ${entry.yardsticks} yardsticks against ${before.yardsticks}`]
    : [];
});
if (values.accept) {
  const kept = baseline.entries.filter((entry) => !measured.some((one) => isSame(one, entry)));
  writeFileSync(baselinePath, `${JSON.stringify({ ...machine(), entries: [...kept, ...measured] }, null, 2)}\n`);
} else if (slower.length > 0) {
  console.error(`\nslower than ${SLOWER_THAN_BASELINE}x the baseline:\n${slower.join('\n')}`);
  process.exitCode = 1;
}

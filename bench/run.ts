import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as backtest from './backtest.bench.js';
import * as indicators from './indicators.bench.js';
import { machine, type Sizes, type Timing } from './measure.js';

/** `npm run bench -- [--smoke] [suite...]`: prints each suite and writes its timings to bench/results/SUITE.json. */
const suites: Readonly<Record<string, { run(sizes: Sizes): Promise<Timing[]> }>> = { indicators, backtest };

const { values, positionals } = parseArgs({ options: { smoke: { type: 'boolean' } }, allowPositionals: true });
const chosen = positionals.length > 0 ? positionals : Object.keys(suites);
const unknown = chosen.filter((name) => !Object.hasOwn(suites, name));
if (unknown.length > 0) {
  console.error(`unknown suite ${unknown.join(', ')}, known are: ${Object.keys(suites).join(', ')}`);
  process.exit(2);
}

const folder = new URL('./results/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const name of chosen) {
  console.log(`\n${name}`);
  const timings = await suites[name].run({ isSmoke: values.smoke === true });
  if (values.smoke) continue;
  writeFileSync(
    new URL(`${name}.json`, folder),
    `${JSON.stringify({ suite: name, ...machine(), timings }, null, 2)}\n`,
  );
}

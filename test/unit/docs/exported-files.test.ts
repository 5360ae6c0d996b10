import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openBars } from '../../../data/bars/index.js';
import { equityTable, runBacktest, tradeTable } from '../../../research/backtest/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { root } from '../../support/tree.js';

const types = { text: 'text', time: 'time', double: 'number', integer: 'whole number', boolean: 'flag' } as const;

/** Columns of runs that use sides, margin and orders; both-sides.test.ts has such runs. */
const onlyOfSides = ['initial_stop_price', 'margin', 'return_on_margin', 'liquidation_price', 'borrow_paid', 'exits'];

test('docs/exported-files.md has every column of trades and equity, with its type', async () => {
  const page = await readFile(join(root, 'docs/exported-files.md'), 'utf8');
  const documented = (title: string) => {
    const section = new RegExp(`^## ${title}$(.*?)(?=^## )`, 'ms').exec(page)?.[1] ?? assert.fail(title);
    return [...section.matchAll(/^\| `(\w+)` \| ([\w ]+) \| \S/gm)].map(([, name, type]) => `${name}: ${type}`).sort();
  };
  const store = openBars({ home: temporaryFolder('exported'), sampleDir: join(root, 'sample') });
  const services = { store, engineVersion: 'test' };
  const strategy = JSON.parse(await readFile(join(root, 'examples/dip.json'), 'utf8')) as unknown;
  const run = await runBacktest({ strategy, interval: '1h', window: { start: '2025-01-01' } }, services);
  const columns = (table: ReturnType<typeof equityTable>) =>
    table.map(({ name, type }) => `${name}: ${types[type]}`).sort();
  const documentedTrades = documented('Trades');
  const added = documentedTrades.filter((column) => onlyOfSides.some((name) => column.startsWith(`${name}:`)));
  assert.equal(added.length, onlyOfSides.length);
  assert.deepEqual(
    documentedTrades.filter((column) => !added.includes(column)),
    columns(tradeTable(run.result)),
  );
  assert.deepEqual(documented('Equity'), columns(equityTable(run)));
});

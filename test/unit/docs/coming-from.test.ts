import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { executionFields } from '../../../engine/execution/index.js';
import { runBacktest, type Strategy } from '../../../library/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { root } from '../../support/tree.js';

/** Every strategy of the page for people who come from other tools runs, and all that it says acts. */

const page = readFileSync(join(root, 'docs/coming-from.md'), 'utf8');
const strategies = [...page.matchAll(/^```json\n(.*?)^```/gms)].map(([, text = '']) => JSON.parse(text) as Strategy);
const home = temporaryFolder('coming-from');

/** Exits that show that a strategy does what its section says. */
const exits: Readonly<Record<string, readonly string[]>> = {
  'freqtrade settings': ['TP', 'TRAIL', 'SIGNAL'],
  'freqtrade with leverage 5': ['SL', 'TP', 'LOSS_TIMEOUT'],
  'backtesting.py settings': ['OPPOSITE', 'TP'],
  'backtesting.py orders on margin': ['SIGNAL', 'TRAIL'],
  'backtesting.py without stops': ['SIGNAL'],
  'vectorbt all in': ['SIGNAL'],
  'vectorbt value sizes': ['SIGNAL'],
  'vectorbt settings': ['TRAIL', 'SIGNAL'],
  'jesse settings': ['SCALE_OUT', 'SL', 'TRAIL'],
  'jesse stop entries': ['SIGNAL', 'TRAIL'],
  'lean settings': ['SIGNAL', 'TP', 'TRAIL'],
  'pine cash on margin': ['SIGNAL', 'TP'],
  'pine settings': ['OPPOSITE', 'SL', 'TRAIL'],
};

test('each section names only settings that one of its strategies uses', () => {
  assert.deepEqual(strategies.map(({ name }) => name).sort(), Object.keys(exits).sort());
  const [, ...sections] = page.split(/^## /m);
  for (const section of sections) {
    const used = new Set([...section.matchAll(/"(\w+)":/g)].map(([, name]) => name));
    const [table = ''] = section.split('```');
    const named = [...table.matchAll(/`(\w+)`/g)].flatMap(([, name = '']) => (name in executionFields ? [name] : []));
    assert.ok(named.length > 0 && used.size > 0, section.slice(0, 40));
    assert.deepEqual(
      named.filter((name) => !used.has(name)),
      [],
      section.slice(0, 40),
    );
  }
});

for (const strategy of strategies) {
  const { name = '' } = strategy;
  test(`${name} run as the page says`, async () => {
    const { result, trades } = await runBacktest({
      strategy,
      interval: '1h',
      start: '2023-01-01',
      end: '2023-12-30',
      home,
    });
    assert.deepEqual(result.denied_signals, []);
    const reasons = new Set<string>(trades.map(({ exit_reason }) => exit_reason));
    for (const reason of exits[name] ?? []) assert.ok(reasons.has(reason), `${reason} of ${[...reasons].join(', ')}`);
    const idle = result.warnings.filter((warning) => warning.startsWith('settings-without-effect'));
    assert.deepEqual(idle, []);
    const sides = new Set(trades.map(({ side }) => side));
    assert.equal(sides.size, strategy.short_entry === undefined ? 1 : 2);
  });
}

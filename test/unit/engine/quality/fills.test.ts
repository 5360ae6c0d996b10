import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulate } from '../../../../engine/execution/index.js';
import { findQualityIssues } from '../../../../engine/quality/index.js';
import { barsOf, inputOf, type PriceRow, plainSettings } from '../../../support/execution.js';

const flat: PriceRow = [100, 101, 99, 100];
/** Touches the stop at 90 and the target at 120 of an entry at 100. */
const wild: PriceRow = [100, 121, 89, 100];

/** Findings of a run that enters at the open of bar 2, with 100 units, on bars of these volumes. */
function findings(rows: readonly PriceRow[], volumes: Readonly<Record<number, number>>, settings: object = {}) {
  const bars = barsOf(rows);
  bars.volume.fill(1e6);
  for (const [bar, volume] of Object.entries(volumes)) bars.volume[Number(bar)] = volume;
  const config = { ...plainSettings, max_risk_per_trade: 0.1, ...settings };
  const input = inputOf(bars, [1], [], config);
  const { trades } = simulate(input);
  assert.equal(trades.length, 1);
  return findQualityIssues({ run: input, trades, heldAtMs: null });
}

const rows = (...last: readonly PriceRow[]): PriceRow[] => [flat, flat, flat, flat, ...last];

test('fills in bars without volume are counted by side', () => {
  assert.deepEqual(findings(rows(flat), {}), []);
  const both = findings(rows(flat), { 2: 0, 4: 0 });
  const message = '1 entry and 1 exit filled in bars without volume, where nothing was traded';
  assert.deepEqual(both, [{ kind: 'fills-without-volume', count: 2, bar: 2, message }]);
});

test('an exit in a bar that touches both levels says what the orders of events would give', () => {
  const [finding, ...more] = findings(rows(wild), {}, { fee_pct: 0.001 });
  assert.deepEqual(more, []);
  assert.equal(finding?.kind, 'ambiguous-exits');
  // Size is 99.9 (all cash after the fee): -1,018 at the stop, +1,976 at the target of 10,000.
  assert.match(finding?.message ?? '', /1 of 1 trade .* the account returns -10\.2 % to 19\.8 %, the run -10\.2 %/);
});

test('fills above one percent of the volume of their bar are counted with the largest', () => {
  assert.deepEqual(findings(rows(flat), { 2: 10_001 }), []);
  const [finding] = findings(rows(flat), { 2: 9_000, 4: 1_000 });
  assert.match(finding?.message ?? '', /^2 of 2 fills take more than 1 % .* up to 10\.0 % at 2024-01-01T04:00:00Z/);
});

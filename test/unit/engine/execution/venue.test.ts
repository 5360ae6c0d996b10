import assert from 'node:assert/strict';
import test from 'node:test';
import { resolveConfig } from '../../../../engine/execution/index.js';
import { inLots, inTicks, venueWarning } from '../../../../engine/execution/venue.js';
import { HOUR_MS } from '../../../../engine/series/index.js';

const none = { tick_size: null, lot_size: null };

test('sizes are rounded down to lots, purchases down and sales up to ticks', () => {
  assert.equal(inLots(1.2345, { ...none, lot_size: 0.001 }), 1.234);
  assert.equal(inLots(0.3, { ...none, lot_size: 0.1 }), 0.3, 'a multiple stays, whatever its product is');
  assert.equal(inTicks(100.123, true, { ...none, tick_size: 0.05 }), 100.1);
  assert.equal(inTicks(100.123, false, { ...none, tick_size: 0.05 }), 100.15);
  assert.equal(inTicks(0.3, true, { ...none, tick_size: 0.1 }), 0.3);
  assert.equal(inLots(1.5, { ...none, lot_size: 1 / 3 }), 4 / 3, 'a step that few decimals do not write');
});

test('without a step nothing is rounded', () => {
  assert.deepEqual([inLots(1.2345, none), inTicks(1.2345, true, none)], [1.2345, 1.2345]);
});

test('a backtest says that it does not round, and reads the steps nowhere else', () => {
  assert.equal(venueWarning(none), null);
  assert.match(venueWarning({ ...none, lot_size: 1 }) ?? '', /^lot_size rounds live orders only/);
  assert.match(venueWarning({ tick_size: 1, lot_size: 1 }) ?? '', /^tick_size and lot_size round live orders only/);
  const request = { tick_size: 0.05, lot_size: null };
  const { config, venue, warnings } = resolveConfig({ request, interval: HOUR_MS, venue: 'warn' });
  assert.deepEqual([venue, 'tick_size' in config], [{ tick_size: 0.05, lot_size: null }, false]);
  assert.ok(warnings.some((one) => one.startsWith('tick_size rounds live orders only')));
  assert.throws(() => resolveConfig({ request: { tick_size: 0 }, interval: HOUR_MS, venue: 'warn' }), {
    message: 'tick_size must be a number > 0 or null, was 0',
  });
  assert.throws(() => resolveConfig({ request, interval: HOUR_MS }), { message: /tick_size/ });
  assert.throws(() => resolveConfig({ request: { lotsize: 1 }, interval: HOUR_MS, venue: 'warn' }), {
    message: /lotsize.*lot_size/,
  });
});

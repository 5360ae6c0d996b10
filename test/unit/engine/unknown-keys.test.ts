import assert from 'node:assert/strict';
import test from 'node:test';
import { EngineError } from '../../../engine/errors.js';
import { resolveConfig } from '../../../engine/execution/index.js';
import { parseStrategy } from '../../../engine/strategy/index.js';
import { readSweepOver } from '../../../engine/sweep/index.js';
import { readRequests } from '../../../research/simulate-requests.js';
import * as foreign from '../../support/foreign-words.js';

const { definition: strategy, rule } = foreign;

/** Reads a definition as a run does, settings included. */
function read(definition: object): void {
  const { executionConfig } = parseStrategy(definition, 'relaxed');
  resolveConfig({ saved: executionConfig, interval: 3_600_000 });
}

test('of 500 definitions with one word of another tool, none is read in silence', () => {
  for (const { word, place, definition } of foreign.definitions(500)) {
    assert.throws(
      () => read(definition),
      (error: Error) =>
        error instanceof EngineError && error.message.includes(`"${word}"`) && error.code === 'INVALID_FIELD',
      `${word} in ${place}`,
    );
  }
});

test('a word of another tool is told how it is said here, or that it cannot be', () => {
  const told: readonly [string, RegExp][] = [
    ['stoploss', /stop_loss_calculation/],
    ['trailing_stop', /trailing_distance of execution_config lets the stop follow/],
    ['minimal_roi', /target_schedule of execution_config/],
    ['direction', /rules of the short side are short_entry and short_exit/],
    ['leverage', /leverage of execution_config buys on margin/],
    ['exits', /rules that sell are exit/],
    ['rewardFactor', /did you mean reward_factor/],
    ['Exit', /did you mean exit/],
    ['zzzzzzzzzzzz', /is not a key here$/],
  ];
  for (const [word, message] of told) assert.throws(() => read({ ...strategy, [word]: 1 }), { message }, word);
  assert.throws(
    () => read({ ...strategy, entry: [{ ...rule, asset: 'ETH' }] }),
    /entry\[0\]: "asset" .* the bars of that asset/,
  );
  assert.throws(() => read({ ...strategy, a1: 1, a2: 1, a3: 1, a4: 1, a5: 1, a6: 1 }), /"a5" .*; and 1 more$/);
});

test('masks, requests and sweeps refuse unknown keys at every depth', () => {
  const bars = [[1_704_067_200, 1, 1, 1, 1, 1]];
  const request = { id: 'a', interval: '1h', bars, masks: { entry: [] } };
  assert.throws(() => readRequests([{ ...request, cofig: {} }]), /request: "cofig" .* did you mean config\?/);
  assert.throws(() => readRequests([{ ...request, masks: { entry: [], exits: [] } }]), /masks: "exits"/);
  const trigger = {
    name: 'sma_cross_up',
    signal_type: 'TRIGGER',
    params: { window_slow: 50 },
    params_sweep: { window_fast: { min: 5, max: 9, step: 2 } },
  };
  const filter = { name: 'is_above_sma', signal_type: 'FILTER', params: { window: 50 } };
  const sweep = {
    name: 's',
    datasets: [{ asset: 'BTC', timeframe: '1h' }],
    entry_signals: { triggers: [trigger], filters: [filter] },
  };
  const errorsOf = (changed: object) => {
    const missing = new EngineError('NOT_FOUND', 'no bars here');
    return readSweepOver(changed, [missing], [], 'refused').errors.filter(
      (error) => error !== 'datasets[0]: no bars here',
    );
  };
  assert.deepEqual(errorsOf(sweep), []);
  const wrong: readonly [object, RegExp][] = [
    [
      { ...sweep, datasets: [{ asset: 'BTC', timeframe: '1h', start: '2020' }] },
      /datasets\[0\]: "start".*did you mean start_date/,
    ],
    [{ ...sweep, entry_signals: { ...sweep.entry_signals, trigger: [] } }, /entry_signals: "trigger"/],
    [
      {
        ...sweep,
        entry_signals: {
          triggers: [{ ...trigger, params_sweep: { window_fast: { values: [5], stp: 1 } } }],
          filters: [filter],
        },
      },
      /"stp".*did you mean step/,
    ],
  ];
  for (const [changed, message] of wrong) assert.match(errorsOf(changed).join('\n'), message);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS, MINUTE_MS } from '../../../../engine/series/intervals.js';
import type { SignalType } from '../../../../engine/signals/index.js';
import { type Composition, parseStrategy, planStrategy } from '../../../../engine/strategy/index.js';

const rule = (name: string, signalType: SignalType, params: object = {}, timeframe: string | null = '1h') => ({
  name,
  signal_type: signalType,
  timeframe,
  params,
});
const trigger = rule('ema_cross_up', 'TRIGGER');
const filter = rule('rsi_oversold', 'FILTER');
const planOf = (...entry: object[]) => planStrategy(parseStrategy({ entry }, 'relaxed'), HOUR_MS);
const deniedOf = (each: object, intervalMs = HOUR_MS) =>
  planStrategy(parseStrategy({ entry: [each] }, 'relaxed'), intervalMs).denied.map(({ reason, message }) => [
    reason,
    message,
  ]);

/** Triggers and filters of entry and exit, and the verdict of each composition on them. */
const compositions: readonly (readonly [entry: string, exit: string, strict: RegExp | null, relaxed: RegExp | null])[] =
  [
    ['TF', '', null, null],
    ['T', '', /^entry must have exactly 1 FILTER, has 0$/, null],
    ['F', '', /^entry must have exactly 1 TRIGGER, has 0$/, /^entry must have exactly 1 TRIGGER, has 0$/],
    [
      'TF',
      'F',
      /^exit must be empty or have exactly 1 TRIGGER, has 0$/,
      /^exit must be empty or have exactly 1 TRIGGER/,
    ],
  ];

const rules = (roles: string) => [...roles].map((role) => (role === 'T' ? trigger : filter));

for (const [entry, exit, strict, relaxed] of compositions) {
  for (const [composition, refusal] of Object.entries({ strict, relaxed })) {
    const verdict = refusal === null ? 'is accepted' : 'is refused';
    test(`entry ${entry || 'empty'} with exit ${exit || 'empty'} ${verdict} by the ${composition} composition`, () => {
      const parse = () => parseStrategy({ entry: rules(entry), exit: rules(exit) }, composition as Composition);
      if (refusal === null) assert.equal(parse().entry.length, entry.length);
      else assert.throws(parse, { name: 'EngineError', code: 'INVALID_STRATEGY', message: refusal });
    });
  }
}

test('a role that differs from the type of its signal is accepted with a warning', () => {
  const plan = planOf(rule('rsi_oversold', 'TRIGGER'), rule('ema_cross_up', 'FILTER'));
  assert.deepEqual(plan.denied, []);
  assert.deepEqual(
    plan.entry?.map(({ role }) => role),
    ['TRIGGER', 'FILTER'],
  );
  assert.deepEqual(plan.warnings, [
    'entry: rsi_oversold is a FILTER signal used as TRIGGER',
    'entry: ema_cross_up is a TRIGGER signal used as FILTER',
  ]);
  assert.deepEqual(planOf(trigger, filter).warnings, []);
});

test('every reason for refusing a rule comes with a message that names the fault', () => {
  assert.deepEqual(deniedOf(rule('rsi_oversol', 'TRIGGER')), [
    ['unknown_signal', 'unknown signal "rsi_oversol", did you mean rsi_oversold?'],
  ]);
  assert.deepEqual(deniedOf(rule('exchange_net_outflow', 'TRIGGER')), [
    [
      'unsupported_column',
      'exchange_net_outflow: the data has no column ExchangeNetflow; ' +
        'add it with: barline data columns add FILE --asset ASSET --column ExchangeNetflow',
    ],
  ]);
  const timeframes: [timeframe: string, intervalMs: number, message: RegExp][] = [
    ['1m', HOUR_MS, /^unknown timeframe "?1m"?, known are: 5m, 15m, 30m, 1h, 4h, 1d$/],
    ['', HOUR_MS, /^unknown timeframe /],
    [
      '1w',
      HOUR_MS,
      /^timeframe 1w is not supported by the service, .* 5m, 15m, 30m, 1h, 4h, 1d; barline backtest and the library take it/,
    ],
    ['15m', HOUR_MS, /^timeframe 15m is finer than the interval 1h$/],
    ['30m', 20 * MINUTE_MS, /^timeframe 30m is not a multiple of the interval 20m$/],
  ];
  for (const [timeframe, intervalMs, message] of timeframes) {
    const [[reason, text] = []] = deniedOf(rule('rsi_oversold', 'TRIGGER', {}, timeframe), intervalMs);
    assert.equal(reason, 'unsupported_timeframe', timeframe);
    assert.match(text!, message);
  }
});

test('stop settings inside a strategy are refused everywhere except in execution_config', () => {
  for (const field of ['atr_period', 'atr_multiplier']) {
    const message = new RegExp(`^${field} must not appear in .+: it belongs to execution_config$`);
    const places = [
      { entry: [trigger], [field]: 14 },
      { entry: [{ ...trigger, [field]: 14 }] },
      { entry: [rule('ema_cross_up', 'TRIGGER', { [field]: 14 })] },
      { entry: [trigger], exit: [{ ...trigger, [field]: null }] },
    ];
    for (const json of places) {
      assert.throws(() => parseStrategy(json, 'relaxed'), { code: 'INVALID_STRATEGY', message });
    }
  }
  const saved = parseStrategy({ entry: [trigger], execution_config: { atr_period: 7 } }, 'relaxed');
  assert.deepEqual(saved.executionConfig, { atr_period: 7 });
});

test('names of object prototypes are unknown like any other', () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    const [[reason] = []] = deniedOf(rule(name, 'TRIGGER'));
    assert.equal(reason, 'unknown_signal', name);
    const params = JSON.parse(`{"window": 14, ${JSON.stringify(name)}: {"window": 99}}`) as object;
    const [[paramReason, message] = []] = deniedOf(rule('is_above_sma', 'TRIGGER', params));
    assert.equal(paramReason, 'malformed_params', name);
    assert.match(message!, new RegExp(`unknown parameter "${name}"`));
  }
  const hidden = JSON.parse('{"__proto__": {"entry": []}}') as object;
  assert.throws(() => parseStrategy(hidden, 'relaxed'), {
    code: 'INVALID_FIELD',
    message: 'strategy: "__proto__" is not a key here',
  });
});

test('a definition of the wrong shape is refused with the path of the field', () => {
  const { timeframe: _, ...noTimeframe } = trigger;
  const cases: [json: unknown, code: string, message: RegExp][] = [
    [{ entry: {} }, 'INVALID_FIELD', /^entry must be an array of rules, was \{\}$/],
    [{ entry: [noTimeframe] }, 'MISSING_FIELD', /^entry\[0\]\.timeframe is required$/],
    [{ entry: [{ ...trigger, name: 3 }] }, 'INVALID_FIELD', /^entry\[0\]\.name must be a signal name, was 3$/],
    [{ entry: [trigger], exit: [{}] }, 'MISSING_FIELD', /^exit\[0\]\.name is required$/],
    [{ entry: [trigger], reward_factor: 0 }, 'INVALID_FIELD', /^reward_factor must be a finite number > 0, was 0$/],
  ];
  for (const [json, code, message] of cases) {
    assert.throws(() => parseStrategy(json, 'relaxed'), { name: 'EngineError', code, message });
  }
});

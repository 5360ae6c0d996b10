import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { EngineError } from '../../engine/errors.js';
import { resolveParams } from '../../engine/indicators/index.js';
import { signals } from '../../engine/signals/index.js';
import { within } from '../../research/window-bars.js';
import { asApiError } from '../../service/api-error.js';
import {
  evaluateMultipleSeries,
  evaluateSuppliedBars,
  getSignal,
  listSignals,
  matchSignals,
  searchSignals,
  validateSignalCode,
  validateSignalParams,
} from '../../service/signals/index.js';
import { randomBars } from '../support/random.js';
import { runs } from '../support/scale.js';

const names = signals.map(({ name }) => name);
const paramNames = [...new Set(signals.flatMap(({ params }) => Object.keys(params))), 'period', 'lookback'];

/** Values as JSON brings them: any type, prototype keys, huge numbers, deep nesting. */
const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(
    null,
    undefined,
    -1,
    0,
    1e308,
    -1e308,
    5e-324,
    2 ** 53,
    '',
    'a'.repeat(3_000),
    '\u0000',
    '\ud800',
    [],
    {},
  ),
  fc
    .constantFrom('{"__proto__":{"a":1}}', '{"constructor":1,"toString":2}', `${'['.repeat(5_000)}${']'.repeat(5_000)}`)
    .map((text) => JSON.parse(text)),
);

/** An object whose fields are mostly right, so that requests get past the first check. */
function mostly(fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Record<string, unknown>> {
  const half = Object.entries(fields).map(
    ([name, arbitrary]) => [name, fc.oneof({ weight: 4, arbitrary }, { weight: 1, arbitrary: anyJson })] as const,
  );
  return fc.record(Object.fromEntries(half), { requiredKeys: [] });
}

const name = fc.constantFrom(...names);
const params = fc.oneof(
  fc.dictionary(fc.constantFrom(...paramNames, '__proto__', 'x'), fc.oneof(fc.integer({ min: -2, max: 40 }), anyJson), {
    maxKeys: 4,
  }),
  fc.constant({}),
);
const cell = fc.oneof(
  { weight: 9, arbitrary: fc.double({ min: 1, max: 1e6, noNaN: true }) },
  { weight: 1, arbitrary: anyJson },
);
const time = fc.oneof(fc.integer({ min: -1e6, max: 2e12 }), fc.constantFrom(8e15, -8e15, 1e300, '2024-01-01'), anyJson);
const bar = fc.record({
  Open: cell,
  high: cell,
  Low: cell,
  CLOSE: cell,
  Volume: cell,
  timestamp: time,
  WhaleNetInflow: cell,
});

/** Answers, or refuses with a failure that callers know; anything else is a bug. */
async function answersOrRefuses(run: () => unknown): Promise<void> {
  try {
    await run();
  } catch (error) {
    const known = asApiError(error);
    assert.ok(known !== null, `must be a known failure: ${(error as Error)?.stack ?? error}`);
    assert.notEqual(known.code, 'INTERNAL_ERROR');
    assert.ok(known.message.length < 2_000, 'messages stay short');
  }
}

const bars = randomBars({ seed: 2, barCount: 300 });
const series = (request: object) =>
  evaluateMultipleSeries(request, async (asset, intervalMs, window) => {
    if (intervalMs !== bars.intervalMs) throw new EngineError('NOT_FOUND', 'no such bars');
    return within(bars, window, asset);
  });

const requests: readonly (readonly [what: string, run: (request: never) => unknown, request: fc.Arbitrary<object>])[] =
  [
    [
      'list',
      listSignals,
      mostly({ limit: fc.integer({ min: 0, max: 120 }), offset: fc.nat(), category: fc.constant('trend') }),
    ],
    ['get', getSignal, mostly({ signal_name: name })],
    [
      'search',
      searchSignals,
      mostly({ query: fc.string(), search_type: fc.constantFrom('name', 'params', 'keywords'), limit: fc.integer() }),
    ],
    [
      'match',
      matchSignals,
      mostly({
        user_description: fc.oneof(
          fc.string({ maxLength: 300 }),
          fc.array(fc.constantFrom('rsi', 'below', '30', 'cross')).map((w) => w.join(' ')),
        ),
        num_results: fc.integer(),
        match_type: fc.constantFrom('entry', 'exit'),
        similarity_threshold: fc.double({ min: 0, max: 1 }),
        user_intent: fc.object({ maxDepth: 1 }),
      }),
    ],
    [
      'evaluate',
      evaluateSuppliedBars,
      mostly({ signal_name: name, market_data: fc.array(bar, { maxLength: 60 }), parameters: params }),
    ],
    ['validate parameters', validateSignalParams, mostly({ signal_name: name, parameters: params })],
    [
      'validate code',
      validateSignalCode,
      mostly({
        code: fc.oneof(
          fc.string(),
          fc.constantFrom('let a = 1;', '/(/', '`${', '//# sourceMappingURL=/etc/passwd', 'import("x")'),
        ),
        params: fc.dictionary(fc.string(), anyJson, { maxKeys: 4 }),
        description: fc.string(),
        rule_name: fc.string(),
      }),
    ],
    [
      'evaluate series',
      series,
      mostly({
        symbol: fc.constant('BTC'),
        chart_timeframe: fc.constant('1h'),
        start_date: fc.constant('2024-01-03'),
        end_date: fc.constant('2024-01-09'),
        signals: fc.array(mostly({ name, timeframe: fc.constantFrom('1h', '4h'), params }), { maxLength: 4 }),
      }),
    ],
  ];

for (const [what, run, request] of requests) {
  test(`${what} answers any request or refuses it with a known failure`, async () => {
    await fc.assert(
      fc.asyncProperty(request, (sent) => answersOrRefuses(() => run(sent as never))),
      { numRuns: runs(150, 10_000) },
    );
  });
}

test('parameters are valid exactly where an evaluation accepts them', () => {
  const request = fc.constantFrom(...signals).chain((signal) => {
    const known = Object.keys(signal.params);
    const value = fc.oneof(
      fc.integer({ min: -2, max: 60 }),
      fc.constantFrom<unknown>('bullish', 'up', true, 0.5, null),
    );
    const key = fc.constantFrom(...known, 'window', 'period', 'short_period', 'long_period', 'other');
    return fc.record({ signal: fc.constant(signal), parameters: fc.dictionary(key, value, { maxKeys: 4 }) });
  });
  let accepted = 0;
  fc.assert(
    fc.property(request, ({ signal, parameters }) => {
      const { valid, errors } = validateSignalParams({ signal_name: signal.name, parameters });
      const accepts = () => resolveParams(signal, parameters);
      if (valid) assert.doesNotThrow(accepts);
      else assert.throws(accepts, EngineError);
      assert.equal(valid, errors.length === 0);
      if (valid) accepted++;
    }),
    { numRuns: runs(125, 10_000) },
  );
  assert.ok(accepted > 0, 'some are valid');
});

import assert from 'node:assert/strict';
import test from 'node:test';
import type { Route } from '../../../http/route.js';
import { routes } from '../../../http/routes.js';
import type { MethodName, UnaryName } from '../../../rpc/index.js';
import { restApi } from '../../support/api.js';
import { exampleFor, type Sender, senderOf } from '../../support/example-calls.js';

/**
 * An end that is given as a day ends with that day, on every endpoint that declares one. The table
 * is checked against the routes, so that an endpoint to come is asked too.
 */

type Answer = Readonly<Record<string, unknown>>;
type Read = (answer: Answer, from: Sender) => Promise<unknown>;

const pick =
  (...fields: readonly string[]): Read =>
  async (answer) =>
    fields.map((field) => answer[field]);

/** A submitted run is read when it has ended. */
const stored: Read = async ({ backtest_id: id }, { call }) => {
  for (;;) {
    const { status, end_date, metrics } = await call('Backtests.Get', { id });
    if (status === 'completed') return [end_date, metrics];
    assert.ok(['pending', 'running'].includes(status), status);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

/** The same for a portfolio. */
const storedPortfolio: Read = async ({ portfolio_id }, { call }) => {
  for (;;) {
    const { status, end_date, metrics } = await call('Portfolios.Get', { portfolio_id });
    if (status === 'completed') return [end_date, metrics];
    assert.ok(['queued', 'running'].includes(status), status);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

const results: Read = async ({ results: items }) =>
  (items as Answer[]).map(({ success, metrics, trade_count }) => [success, metrics, trade_count]);

/** By method: how the end is named, and what of the answer depends on it. */
const ends: Readonly<Partial<Record<MethodName, readonly [field: string, read: Read]>>> = {
  'Signals.EvaluateMultipleSeries': ['end_date', pick('end_date', 'chart_data')],
  'Backtests.Run': ['end_date', pick('end_date', 'metrics')],
  'Backtests.RunBulk': ['end_date', results],
  'Backtests.Submit': ['end_date', stored],
  'Portfolios.Run': ['end_date', pick('end_date', 'metrics')],
  'Portfolios.Submit': ['end_date', storedPortfolio],
  'Batch.Run': ['end_date', pick('metrics', 'trade_count')],
  'Batch.Submit': ['end_date', stored],
  'Batch.RunBulk': ['end_date', results],
  'Simulations.Run': ['end_date', pick('metrics', 'ohlcv')],
  'Backtests.History': ['date_to', pick('total')],
  'Runs.List': ['date_to', pick('total')],
  'OnChain.ListHistoricalHoldings': ['date_range', pick('holdings')],
  'OnChain.ListTokenDexTrades': ['date_range', pick('trades')],
  'OnChain.ListTokenFlows': ['date_range', pick('flows')],
  'OnChain.ReadSeries': ['date_range', pick('series')],
};

/** They take times alone: a day is refused, and the message shows the form. */
const timesOnly: readonly MethodName[] = [
  'MarketData.ListTrades',
  'MarketData.ListQuotes',
  'MarketData.ListMinuteBars',
  'MarketData.GetPeriodBar',
];

const fieldsOf = ({ query, body }: Route): string[] => Object.keys({ ...query?.shape, ...body?.shape });
const endingRoutes = routes.filter((route) =>
  fieldsOf(route).some((field) => /^(end|to|until|date_range)$|_(to|until)$|^end_|_end$/.test(field)),
);

test('every endpoint with an end is in the table', () => {
  const declared = new Set(endingRoutes.map(({ rpc }) => rpc));
  assert.deepEqual([...declared].sort(), [...Object.keys(ends), ...timesOnly].sort());
});

const DAY = '2024-03-05';
const MIDNIGHT = '2024-03-06T00:00:00Z';

/** The example of an endpoint with another end. History ends today: the runs of a test are new. */
async function requestUntil(route: Route, from: Sender, isDay: boolean): Promise<Answer> {
  const example = await exampleFor(route, from);
  const request = { ...example.path, ...example.query, ...example.body } as Answer;
  const [field] = ends[route.rpc] as readonly [string, Read];
  if (field === 'date_range') return { ...request, date_range: { from: '2024-03-01', to: isDay ? DAY : MIDNIGHT } };
  if (field === 'end_date') return { ...request, start_date: '2024-02-01', end_date: isDay ? DAY : MIDNIGHT };
  const now = Date.now();
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return { ...request, [field]: isDay ? dayOf(now) : `${dayOf(now + 86_400_000)}T00:00:00Z` };
}

for (const [method, [, read]] of Object.entries(ends) as [UnaryName, readonly [string, Read]][]) {
  test(`${method}: an end that is a day ends with that day`, async () => {
    const route = endingRoutes.find(({ rpc }) => rpc === method) as Route;
    const from = await senderOf(method);
    if (/^(Backtests.History|Runs.List)$/.test(method)) {
      await from.call('Backtests.Run', (await exampleFor(runRoute, from)).body ?? {});
    }
    const answered = async (isDay: boolean) =>
      read(await from.call(method, await requestUntil(route, from, isDay)), from);
    const [day, midnight] = [await answered(true), await answered(false)];
    assert.deepEqual(day, midnight);
    assert.ok(!/^\[(null|0|\[\])\]$/.test(JSON.stringify(day)), 'something is there');
  });
}

const runRoute = routes.find(({ rpc }) => rpc === 'Backtests.Run') as Route;

test('a read that takes times alone refuses a day and shows the form', async () => {
  const { service, token } = await senderOf('MarketData.ListTrades');
  const api = restApi(service.origin, token);
  const request = { base: 'BTC', quote: 'USDT', period: 'ONE_HOUR', start_time: '2024-03-01T00:00:00Z', end_time: DAY };
  for (const method of timesOnly as readonly UnaryName[]) {
    const { code, message } = await api.call(method, request);
    const expected = `end_time must be an RFC 3339 time such as 2024-08-09T00:00:00Z, was "${DAY}"`;
    assert.deepEqual([code, message], ['INVALID_FIELD', expected], method);
  }
});

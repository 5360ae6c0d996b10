import assert from 'node:assert/strict';
import test from 'node:test';
import { runPortfolio } from '../../../research/portfolio/index.js';
import type { ApiCode } from '../../../rpc/index.js';
import { bundledStore, dipStrategy } from '../../support/backtests.js';
import { contract } from '../../support/contract.js';
import { type Receiver, startReceiver } from '../../support/receiver.js';
import { assertRefused } from '../../support/refusals.js';

let receiver: Receiver;
test.before(async () => {
  receiver = await startReceiver();
});
test.after(() => receiver.stop());

const { asset: _, ...anywhere } = dipStrategy;
const members = {
  name: 'two majors',
  interval: '1d',
  max_open_positions: 1,
  rank_by: 'roc(close, 30)',
  guards: { max_drawdown: 0.4 },
  members: [
    { strategy: anywhere, asset: 'BTC' },
    { strategy: anywhere, asset: 'ETH', weight: 0.5 },
  ],
};
const rotation = {
  interval: '1d',
  allocation: { assets: ['BTC', 'ETH'], every: '1M', rank_by: 'roc(close, 30)', top: 1 },
};
const year = { start_date: '2023-01-01', end_date: '2023-12-31' };
const window = { start: '2023-01-01', end: '2023-12-31' };

/** The fields of a trade that have a value. */
const given = (trade: object) =>
  Object.fromEntries(Object.entries(trade).filter(([, value]) => value !== null && String(value) !== ''));

contract('a portfolio has the figures of the research room, and is stored as it was answered', async ({ api }) => {
  const portfolio = members;
  const { code, message, body } = await api.call('Portfolios.Run', { portfolio, ...year });
  assert.equal(code, 'OK', String(message));
  const request = { portfolio, window, config: {} };
  const { result } = await runPortfolio(request, { store: bundledStore, engineVersion: 'test' });
  assert.ok(result.trade_count > 3);
  assert.deepEqual(body.metrics, result.metrics);
  assert.equal(body.trade_count, result.trade_count);
  assert.deepEqual(body.trade_history.map(given), result.trades.map(given));
  assert.deepEqual([body.facts.members, body.facts.turnover], [result.members, result.turnover]);
  const { body: read } = await api.call('Portfolios.Get', { portfolio_id: body.portfolio_id });
  assert.deepEqual(read, body);
  const page = { portfolio_id: body.portfolio_id, limit: 2, offset: 1 };
  const { body: trades } = await api.call('Portfolios.ListTrades', page);
  assert.deepEqual([trades.trade_count, trades.trades], [body.trade_count, body.trade_history.slice(1, 3)]);
});

contract('a member may be a stored strategy, as it was when the run was asked for', async ({ api, other }) => {
  const { body: made } = await api.call('Strategies.Create', {
    ...dipStrategy,
    entry: [
      ...dipStrategy.entry,
      { name: 'is_above_sma', signal_type: 'FILTER', timeframe: '1d', params: { window: 200 } },
    ],
  });
  const { id: strategy_id } = made.strategy;
  const byId = { interval: '1d', members: [{ strategy_id }, { strategy_id, asset: 'ETH' }] };
  const { body, code, message } = await api.call('Portfolios.Run', { portfolio: byId, ...year });
  assert.equal(code, 'OK', String(message));
  assert.deepEqual(body.assets, ['BTC', 'ETH']);
  assert.equal(body.portfolio.members[0].strategy.name, 'Dip buyer');
  assert.equal(body.portfolio.members[0].strategy_id, undefined);
  assert.equal((await other.call('Portfolios.Run', { portfolio: byId, ...year })).code, 'RESOURCE_NOT_FOUND');
  await api.call('Strategies.Archive', { strategy_id });
  const { body: again } = await api.call('Portfolios.Get', { portfolio_id: body.portfolio_id });
  assert.deepEqual(again.portfolio, body.portfolio);
});

contract('a submitted run waits in the queue, ends, is told to webhooks, and is counted by member', async (run) => {
  const { api } = run;
  const used = async () => {
    const { body } = await api.call('Usage.GetUtilization');
    return body.backtests.used;
  };
  const path = `/portfolio-${Math.random()}`;
  const events = ['portfolio.completed', 'portfolio.failed'];
  await api.call('Webhooks.Create', { url: `${receiver.origin}${path}`, events });
  const before = await used();
  const { code, body } = await api.call('Portfolios.Submit', { portfolio: rotation, ...year });
  assert.deepEqual([code, body.status, body.warnings], ['OK', 'queued', []]);
  assert.equal(await used(), before + 2, 'a backtest for each asset');
  const own = () => receiver.received.filter((each) => each.path === path);
  for (let count = receiver.received.length; own().length === 0; count++) await receiver.until(count);
  const [event] = own().map((each) => JSON.parse(each.body));
  assert.deepEqual([event.type, event.data.portfolio_id], ['portfolio.completed', body.portfolio_id]);
  assert.deepEqual([event.data.name, event.data.assets, event.data.error], ['portfolio', ['BTC', 'ETH'], null]);
  const { body: ended } = await api.call('Portfolios.Get', { portfolio_id: body.portfolio_id });
  assert.deepEqual([ended.status, ended.error], ['completed', null]);

  const late = await api.call('Portfolios.Cancel', { portfolio_id: body.portfolio_id });
  assert.deepEqual(
    [late.code, late.message],
    ['INVALID_STATE', `portfolio ${body.portfolio_id} cannot be cancelled: it is completed`],
  );
});

contract('a run that waits is cancelled for good', async ({ api }) => {
  const submit = async () => {
    const { body } = await api.call('Portfolios.Submit', { portfolio: rotation, ...year });
    return body.portfolio_id as string;
  };
  const ids: string[] = [];
  for (let i = 0; i < 6; i++) ids.push(await submit()); // one thread runs them in turn
  const portfolio_id = ids.at(-1) as string;
  const { code, body, message } = await api.call('Portfolios.Cancel', { portfolio_id });
  assert.equal(code, 'OK', String(message));
  assert.deepEqual([body.status, body.error, body.metrics], ['failed', 'cancelled by its caller', null]);
  const { body: read } = await api.call('Portfolios.Get', { portfolio_id });
  assert.deepEqual([read.status, read.error], ['failed', 'cancelled by its caller']);
});

contract('what a portfolio may not be is refused with its place, at once', async ({ api }) => {
  const [btc] = members.members;
  const of = (member: object) => ({ portfolio: { interval: '1d', members: [member] } });
  const refused: readonly [object, ApiCode, RegExp][] = [
    [{ portfolio: {} }, 'MISSING_FIELD', /exactly one of members and allocation is required, was neither/],
    [of({ ...btc, strategy_id: 'x' }), 'VALIDATION_ERROR', /either portfolio\.members\[0\]\.strategy or /],
    [of({ strategy: anywhere }), 'MISSING_FIELD', /members\[0\]\.asset/],
    [{ portfolio: { interval: '1d', allocation: { assets: ['NONE'] } } }, 'VALIDATION_ERROR', /no bars of NONE/],
  ];
  for (const [request, code, message] of refused) {
    assertRefused(await api.call('Portfolios.Submit', request), code, message);
  }
  assert.equal((await api.call('Portfolios.List')).body.total, 0);
});

contract('a portfolio over more bars than a run may trade is refused before it begins', async ({ api }) => {
  const rsi = (length: number) => ({
    name: 'rsi_oversold',
    signal_type: 'TRIGGER',
    timeframe: '1h',
    params: { window: length },
  });
  const strategies = Array.from({ length: 100 }, (_, i) => ({
    strategy: { name: `rsi ${i}`, entry: [rsi(2 + i)] },
    asset: 'BTC',
  }));
  const { code, message } = await api.call('Portfolios.Submit', {
    portfolio: { interval: '1h', members: strategies },
  });
  assert.equal(code, 'VALIDATION_ERROR');
  assert.match(message ?? '', /^portfolio must trade at most 5000000 bars of all members together, asks for \d{7}: /);
});

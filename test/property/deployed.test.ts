import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import {
  denialReasons,
  fullConfig,
  openAccount,
  type PaperAccount,
  type SimulationInput,
  simulate,
  step,
  stepBar,
  type Trade,
} from '../../engine/execution/index.js';
import { HOUR_MS, isoTime } from '../../engine/series/index.js';
import { evaluateRules } from '../../engine/strategy/index.js';
import { prepareRun } from '../../research/backtest/prepare-run.js';
import { showTrade } from '../../research/backtest/render.js';
import { runPortfolio } from '../../research/portfolio/index.js';
import { advance } from '../../service/deployed/advance.js';
import type { DeployedDefinition } from '../../service/deployed/definition.js';
import type { DeployedProgress } from '../../service/deployed/stored.js';
import {
  bundledMarket,
  dailyRotation,
  deployedOf,
  freshProgress,
  livelyPortfolio,
  oneStrategy,
  sidedStrategy,
  wholeReplay,
} from '../support/deployed.js';
import { runs } from '../support/scale.js';
import { sidedInput, sidedWorld } from '../support/swept-worlds.js';
import { inputFrom, world } from '../support/worlds.js';

/** Trades and events of a deployed strategy against those of a backtest over the same bars. */

const [lively] = [...oneStrategy().strategies.values()] as [DeployedDefinition];
const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const isClosed = ({ exitReason }: Trade): boolean => exitReason !== 'END';

/** Trades as a strategy shows them, without ids. */
function shown(trade: Trade, { bars }: SimulationInput, { name, asset }: DeployedDefinition): object {
  const [entryMs, exitMs] = [bars.time[trade.entryBar]!, bars.time[trade.exitBar]!];
  return showTrade(trade, { tradeId: '', positionId: '', strategy: name, asset, entryMs, exitMs });
}
const withoutIds = (trade: object): object => ({ ...trade, trade_id: '', position_id: '' });

/**
 * Takes a strategy through all bars of an input, and stores and reloads its state after each bar.
 */
function run(deployed: DeployedDefinition, input: SimulationInput) {
  let progress: DeployedProgress = freshProgress(deployed);
  const steps = [];
  for (let i = input.first; i < input.bars.barCount; i++) {
    const next = advance(deployed, throughJson(progress), { bar: stepBar(input, i) });
    progress = { ...progress, ...next.progress };
    steps.push(next);
  }
  return {
    progress,
    equity: steps.map(({ progress: { accountValue } }) => accountValue),
    trades: steps.flatMap(({ trades }) => trades),
    events: steps.flatMap(({ events }) => events),
  };
}

test('a deployed strategy does what the backtest does, to the last bit, under any settings', () => {
  fc.assert(
    fc.property(world, (w) => {
      const input = inputFrom(w);
      const { bars, first, config } = input;
      const deployed = { ...lively, config, intervalMs: bars.intervalMs };
      const own = run(deployed, input);
      const backtest = simulate(input);
      const trades = backtest.trades.filter(isClosed);
      assert.deepEqual(
        own.trades.map(withoutIds),
        trades.map((trade) => shown(trade, input, deployed)),
      );
      // Sold at the end, for its costs.
      const last = backtest.trades.length > trades.length ? -1 : undefined;
      assert.deepEqual(own.equity.slice(0, last), [...backtest.equity].slice(0, last));
      const denied = own.events.filter(({ type }) => type === 'signal');
      assert.deepEqual(
        denied.map(({ timestamp, reason }) => [timestamp, reason]),
        Array.from(backtest.denials.bars, (bar, k) => [
          isoTime(bars.time[bar]!),
          denialReasons[backtest.denials.reasons[k]!],
        ]),
      );
      const fills = own.events.filter(({ type }) => type === 'fill');
      assert.equal(fills.filter(({ side }) => side === 'enter_long').length, backtest.trades.length);
      assert.equal(own.progress.totalTrades, trades.length);

      const account = openAccount(config, { isPlain: true });
      for (let i = first; i < bars.barCount; i++) {
        step(account, { ...stepBar(input, i), index: i - first, isLast: false }, fullConfig(config));
      }
      const { lastBar, lastBarTime, ...stored } = own.progress.account as PaperAccount;
      assert.equal(lastBar, bars.barCount - first - 1);
      assert.equal(lastBarTime, lastBar < 0 ? null : bars.time[bars.barCount - 1]);
      const positions = stored.positions.map(({ id, entryTime, ...position }) => {
        assert.equal(entryTime, bars.time[first + position.entryBar]);
        return position;
      });
      assert.deepEqual(throughJson({ ...stored, positions }), throughJson(account));
    }),
    { numRuns: runs(13, 5_000) },
  );
});

test('a deployed strategy of both sides does what the backtest does, to the last bit, under any settings', () => {
  fc.assert(
    fc.property(sidedWorld, (w) => {
      const input = sidedInput(w);
      const { bars, first, config } = input;
      const strategy = { ...lively.strategy, shortEntry: lively.strategy.entry, shortExit: lively.strategy.exit };
      const deployed = { ...lively, strategy, config, intervalMs: bars.intervalMs };
      let progress: DeployedProgress = freshProgress(deployed);
      const trades: object[] = [];
      const equity: number[] = [];
      for (let i = first; i < bars.barCount; i++) {
        const next = advance(deployed, throughJson(progress), { bar: stepBar(input, i) });
        progress = { ...progress, ...next.progress };
        trades.push(...next.trades);
        equity.push(progress.accountValue);
        for (const [k, event] of next.events.entries()) {
          if (event.type === 'exit_reason') assert.equal(next.events[k - 1]?.type, 'fill');
        }
      }
      const backtest = simulate(input);
      const closed = backtest.trades.filter(isClosed);
      const plain = ({ trade_id: _, position_id: __, exits: ___, ...trade }: Record<string, unknown>) => trade;
      assert.deepEqual(
        trades.map((trade) => plain(trade as Record<string, unknown>)),
        closed.map((trade) => plain(shown(trade, input, deployed) as Record<string, unknown>)),
      );
      const last = backtest.trades.length > closed.length ? -1 : undefined;
      assert.deepEqual(equity.slice(0, last), [...backtest.equity].slice(0, last));
    }),
    { numRuns: runs(13, 5_000) },
  );
});

test('events come in the order in which things happen, and every exit gives its reason', () => {
  fc.assert(
    fc.property(world, (w) => {
      const input = inputFrom(w);
      const { config, bars } = input;
      const { events } = run({ ...lively, config, intervalMs: bars.intervalMs }, input);
      const times = events.map(({ timestamp }) => Date.parse(timestamp));
      for (const [k, event] of events.entries()) {
        const before = events[k - 1];
        // A milestone is reached at a close, which is the open of the next bar.
        assert.ok(k === 0 || times[k]! >= times[k - 1]!, `${event.type} after ${before?.type}`);
        if (event.type !== 'exit_reason') continue;
        assert.equal(before?.type, 'fill');
        assert.deepEqual([before?.side, before?.position_id], ['exit_long', event.position_id]);
        assert.equal(event.reason, event.exit_reason);
      }
      const bought = new Set<string>();
      for (const { type, side, position_id } of events) {
        if (type !== 'fill') continue;
        if (side === 'enter_long') bought.add(position_id!);
        else assert.ok(bought.delete(position_id!), 'sold once, and bought before');
      }
    }),
    { numRuns: runs(8, 5_000) },
  );
});

test('bar by bar from the market, a strategy sees what a backtest of its days sees', async () => {
  const market = bundledMarket();
  const fearful = {
    entry: [
      { name: 'rsi_cross_up', signal_type: 'TRIGGER', timeframe: null, params: { window: 3, threshold: 50 } },
      { name: 'column_below', signal_type: 'FILTER', timeframe: null, params: { column: 'FearGreed', threshold: 52 } },
    ],
    exit: [{ name: 'funding_flip_positive', signal_type: 'TRIGGER', timeframe: null, params: {} }],
  };
  const changed = [{ timeframe: '4h' }, { asset: 'ETH', timeframe: '1d', exit: [] }, fearful, sidedStrategy];
  for (const changes of changed) {
    const [deployed] = [...oneStrategy(changes).strategies.values()] as [DeployedDefinition];
    const own = await wholeReplay(deployed, market, { msPerHour: 1, days: 60 });
    const { asset, timeframe, strategy, config } = deployed;
    const window = { start: isoTime(own.startMs) };
    const prepared = await prepareRun({ strategy: null, asset, interval: timeframe, window }, strategy, {
      store: market,
    });
    assert.deepEqual(prepared.config, config);
    const { entry, exit, short } = evaluateRules(prepared.plan, prepared.bars, prepared.others);
    const input = { ...prepared, entry, exit, ...(short && { shortEntry: short.entry, shortExit: short.exit }) };
    const backtest = simulate(input);
    assert.ok(backtest.trades.length > 2, `${backtest.trades.length} trades`);
    assert.equal(own.equity.length, prepared.bars.barCount - prepared.first);
    assert.deepEqual(own.equity.slice(0, -1), [...backtest.equity].slice(0, -1));
    const listed = own.trades.map(({ exits: _, ...trade }: { exits?: object }) => withoutIds(trade));
    assert.deepEqual(
      listed,
      backtest.trades.filter(isClosed).map((trade) => shown(trade, input, deployed)),
    );
    assert.ok(own.startMs % HOUR_MS === 0);
  }
});

test('bar by bar from the market, a portfolio does what the backtest of its days does', async () => {
  const market = bundledMarket();
  for (const deployed of deployedOf(livelyPortfolio, dailyRotation)) {
    const own = await wholeReplay(deployed, market, { msPerHour: 1, days: 60 });
    const given = deployed.id === 'majors' ? livelyPortfolio : dailyRotation;
    const portfolio = { ...given.portfolio, name: deployed.name };
    const request = { portfolio, interval: deployed.timeframe, window: { start: isoTime(own.startMs) } };
    const { result, simulation } = await runPortfolio(request, { store: market, engineVersion: '' });
    // The result shows what members share, the deployed one what the account has.
    assert.equal(deployed.config.initial_balance, result.execution_config.initial_balance);
    const isShown = ({ exit_reason }: { readonly exit_reason: string }) => exit_reason !== 'END';
    const expected = result.trades.filter(isShown);
    assert.ok(expected.length > 20, `${deployed.id}: ${expected.length} trades`);
    const plain = ({ entry_bar_index: _, exit_bar_index: __, exits: ___, ...trade }: Record<string, unknown>) =>
      withoutIds(trade);
    assert.deepEqual(
      own.trades.map((trade) => plain(trade as Record<string, unknown>)),
      expected.map((trade) => plain(trade)),
    );
    const isSoldAtEnd = expected.length < result.trades.length;
    const until = isSoldAtEnd ? -1 : undefined;
    assert.deepEqual(own.equity.slice(0, until), [...simulation.equity].slice(0, until));
    const denied = own.events.filter(({ type }) => type === 'signal').length;
    assert.equal(denied, result.denied_entries.length);
    const ids = new Set(own.trades.map((trade) => (trade as { trade_id: string }).trade_id));
    assert.equal(ids.size, own.trades.length);
    for (const { type, asset, member } of own.events) {
      if (type !== 'milestone') assert.ok(['BTC', 'ETH'].includes(asset ?? '') && member !== undefined);
    }
  }
});

import type { BarStore } from '../../data/bars/index.js';
import { derivedUuid } from '../../data/hashes/index.js';
import type { MarketData } from '../../data/providers/index.js';
import { canonicalJson } from '../../engine/canonical-json.js';
import { EngineError } from '../../engine/errors.js';
import { parseInterval } from '../../engine/series/index.js';
import type { SignalType } from '../../engine/signals/index.js';
import { type BacktestDeps, type BacktestMetrics, execute, keep, readOrder } from '../backtests/index.js';
import type { Caller } from '../caller.js';
import { authorise } from '../identity/index.js';
import type { Portfolios } from '../portfolios/index.js';
import { matchSignals } from '../signals/index.js';
import type { BacktestFigures, StrategyConfig } from './plan/plan.js';
import { factsOfBacktest, factsOfPortfolio, type RunFacts } from './runs/record.js';

export interface Ran {
  readonly figures: BacktestFigures;
  readonly facts: RunFacts;
}

export interface TestWindow {
  readonly start_date?: string;
  readonly end_date?: string;
  readonly lookback_months?: number;
}

type SignalMatch = ReturnType<typeof matchSignals>['matches'][number];

/** What a responder may do. All of it acts for one caller, whatever a message says. */
export interface AssistantTools {
  /** Assets that have bars. */
  heldAssets(): Promise<readonly string[]>;
  /** Why an asset cannot run in a timeframe; null if it can. */
  whyNoBars(asset: string, timeframe: string): Promise<string | null>;
  /** Names of the columns beside the bars of an asset; none where it has no such bars. */
  columnsBeside(asset: string, timeframe: string): Promise<readonly string[]>;
  /** Signals for a description, best first. */
  findSignals(description: string, purpose: 'entry' | 'exit', type: SignalType): readonly SignalMatch[];
  /**
   * Runs a definition over the history and stores the run.
   * @throws ApiError as `POST /backtests`
   */
  runBacktest(config: StrategyConfig, timeframe: string, window: TestWindow): Promise<Ran>;
  /**
   * Runs a definition on each of several assets with one account, shared equally among the members,
   * and stores the run.
   * @throws ApiError and EngineError as `POST /portfolios`
   */
  runPortfolio(config: StrategyConfig, assets: readonly string[], timeframe: string, window: TestWindow): Promise<Ran>;
  /** Takes tokens out of the caller's month. @returns false, taking nothing, if fewer are left */
  takeTokens(amount: number): Promise<boolean>;
  /** Settles what was taken with what was used: adds `amount`, which may be below 0. */
  settleTokens(amount: number): Promise<void>;
  /** Counts a call of a tool that is not one of these. */
  count(tool: string): void;
  /** Calls so far, by tool. */
  readonly calls: Readonly<Record<string, number>>;
}

export interface ToolParts {
  readonly bars: Pick<BarStore, 'list'>;
  readonly market: MarketData;
  readonly backtests: BacktestDeps;
  readonly portfolios: Pick<Portfolios, 'runAs'>;
  /** Tokens that the organization of a caller may use in a month. */
  readonly tokens: {
    take(caller: Caller, amount: number): Promise<boolean>;
    settle(caller: Caller, amount: number): Promise<void>;
  };
}

const FOUND_MAX = 40;

/**
 * The tools for one turn.
 * @param turnId what the ids of its runs are derived from, so that a turn that is done again after
 *   a crash stores each run once
 */
export function toolsFor(
  caller: Caller,
  { bars, market, backtests, portfolios, tokens }: ToolParts,
  turnId: string,
  signal: AbortSignal,
): AssistantTools {
  const calls: Record<string, number> = {};
  const count = (tool: string): void => {
    calls[tool] = (calls[tool] ?? 0) + 1;
  };
  return {
    calls,
    count,
    async heldAssets() {
      count('list_assets');
      return [...new Set((await bars.list()).map(({ asset }) => asset))];
    },
    async whyNoBars(asset, timeframe) {
      try {
        await market.resolveSource(asset, parseInterval(timeframe));
        return null;
      } catch (error) {
        if (error instanceof EngineError) return error.message;
        throw error;
      }
    },
    async columnsBeside(asset, timeframe) {
      try {
        const { entry } = await market.resolveSource(asset, parseInterval(timeframe));
        return [...entry.beside, ...entry.added.map(({ column }) => column)];
      } catch (error) {
        if (error instanceof EngineError) return []; // the run will say what bars it lacks
        throw error;
      }
    },
    findSignals(description, purpose, type) {
      count('search_signals');
      const { matches } = matchSignals({
        user_description: description,
        num_results: FOUND_MAX,
        match_type: purpose,
      });
      return matches.filter(({ signal_type }) => signal_type === type);
    },
    runBacktest(config, timeframe, window) {
      authorise(caller, 'Backtests.Run');
      count('run_backtest');
      const { name, ...rules } = config; // a generated name holds the time
      const id = derivedUuid(turnId, canonicalJson({ rules, timeframe, window }));
      return runStored(caller, backtests, { id, config, timeframe, window, signal });
    },
    async runPortfolio(config, assets, timeframe, window) {
      authorise(caller, 'Portfolios.Run');
      count('run_portfolio');
      const { name, ...rules } = config;
      const id = derivedUuid(turnId, canonicalJson({ rules, assets, timeframe, window }));
      const request = { portfolio: equalPortfolio(config, assets), interval: timeframe, ...window };
      const { result, course } = await portfolios.runAs(caller, id, request, signal);
      const { metrics, trade_count, window: ran } = result;
      const run = { backtest_id: id, trade_count, start_date: ran.start, end_date: ran.end };
      return { figures: backtestFigures(metrics, run), facts: factsOfPortfolio(result, course) };
    },
    takeTokens: (amount) => tokens.take(caller, amount),
    settleTokens: (amount) => tokens.settle(caller, amount),
  };
}

/** A definition as the service takes it: a long side without rules is left out beside a short one. */
export function withoutUnusedSide<T extends { readonly entry: unknown; readonly short_entry?: unknown }>(config: T): T {
  const isLong = config.short_entry === undefined || !Array.isArray(config.entry) || config.entry.length > 0;
  const unused = isLong ? [] : ['entry', 'exit'];
  return Object.fromEntries(Object.entries(config).filter(([key]) => !unused.includes(key))) as T;
}

/** One account over several assets, each traded by the same rules with an equal part of it. */
function equalPortfolio(config: StrategyConfig, assets: readonly string[]) {
  const { name, asset: _, execution_config, ...rules } = withoutUnusedSide(config);
  const weight = 1 / assets.length;
  return { name, execution_config, members: assets.map((asset) => ({ strategy: { name, ...rules }, asset, weight })) };
}

interface StoredRun {
  readonly id: string;
  readonly config: StrategyConfig;
  readonly timeframe: string;
  readonly window: TestWindow;
  readonly signal: AbortSignal;
}

/** Runs a definition and stores the run, unless a run with this id is stored already. */
async function runStored(caller: Caller, deps: BacktestDeps, { id, config, timeframe, window, signal }: StoredRun) {
  const request = { strategy_json: JSON.stringify(withoutUnusedSide(config)), interval: timeframe, ...window };
  const order = await readOrder(caller, request, { filling: 'filled' }, deps.strategies);
  const isKnown = (await deps.store.get(caller.userId, id)) !== null;
  // The run counts once, also after a crash between count and store.
  const admit = isKnown ? async () => {} : () => deps.admit(caller, 1, id);
  const executed = await execute(order.request, order.warnings, deps, { orgId: caller.orgId, signal, admit });
  if (!isKnown) await keep(caller, order, executed, { ...deps, newId: () => id });
  const { metrics, trades } = executed.outcome;
  const { start, end } = executed.run.result.window;
  const run = { backtest_id: id, trade_count: trades.length, start_date: start, end_date: end };
  return { facts: factsOfBacktest(executed.run), figures: backtestFigures(metrics, run) };
}

type Ratios = Pick<BacktestMetrics, 'total_return' | 'sharpe_ratio' | 'max_drawdown' | 'win_rate'>;
type OfRun = Pick<BacktestFigures, 'backtest_id' | 'trade_count' | 'start_date' | 'end_date'>;

const backtestFigures = (
  { total_return, sharpe_ratio, max_drawdown, win_rate }: Ratios,
  { backtest_id, trade_count, start_date, end_date }: OfRun,
): BacktestFigures => ({
  ...{ backtest_id, total_return, sharpe_ratio, max_drawdown, win_rate },
  ...{ trade_count, start_date, end_date },
});

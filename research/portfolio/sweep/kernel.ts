import type { ExecutionConfig } from '../../../engine/execution/index.js';
import { computeMetrics, type Metrics } from '../../../engine/metrics/index.js';
import { buildMarket, type PortfolioSimulation } from '../../../engine/portfolio/index.js';
import type { BarSeries } from '../../../engine/series/index.js';
import { returnPeriods, sumByPeriod } from '../../../engine/statistics/index.js';
import type { RunServices } from '../../backtest/run-backtest.js';
import { accountDailyReturns } from '../account-course.js';
import { type PortfolioDefinition, parsePortfolio } from '../definition.js';
import { type KeptBars, keptBars, type SharedReads } from '../kept-bars.js';
import { type PreparedAccount, prepareAccount, type RunChoices } from '../outline.js';
import { type PreparedAsset, type PreparedMember, prepareAssets, prepareMembers } from '../prepare.js';
import { type SimulateOptions, simulateParts } from '../simulate.js';
import type { PortfolioPlan } from './plan.js';

/** A window of days in which portfolios trade; open ends are the ends of the bars. */
export interface PortfolioWindow {
  readonly start: string | undefined;
  readonly end: string | undefined;
}

interface PreparedPortfolio {
  readonly definition: PortfolioDefinition;
  readonly account: PreparedAccount;
  readonly parts: readonly (PreparedMember | PreparedAsset)[];
  /** Assets held evenly over the times of the members. */
  market(simulation: PortfolioSimulation): BarSeries;
}

export interface PortfolioTrace {
  readonly simulation: PortfolioSimulation;
  readonly metrics: Metrics;
  readonly market: BarSeries;
  readonly config: ExecutionConfig;
  readonly contentHashes: readonly string[];
  readonly warnings: readonly string[];
  readonly parts: readonly (PreparedMember | PreparedAsset)[];
}

/** Members and assets kept in a window; each has the masks or ranks of a few thousand bars. */
const PARTS_MAX = 2_000;

/**
 * Runs the portfolios of a sweep. What several of them share is prepared once: the bars, the rules
 * of a member on its asset with its settings, the ranks of an asset.
 */
export class PortfolioKernel {
  readonly #services: RunServices & { readonly store: KeptBars };
  readonly #parts = new Map<string, Promise<readonly (PreparedMember | PreparedAsset)[]>>();
  readonly #accounts = new Map<string, PreparedAccount>();
  readonly #markets = new Map<string, BarSeries>();

  /** @param reads what the kernel of another thread has read */
  constructor(
    private readonly plan: PortfolioPlan,
    services: RunServices,
    reads?: SharedReads,
  ) {
    this.#services = { ...services, store: keptBars(services.store, reads) };
  }

  /** The bars that were read so far, for kernels of other threads. */
  sharedReads(): Promise<SharedReads> {
    return this.#services.store.share();
  }

  /** @param options of the simulation: fees and slippage are multiplied by `costs` */
  async trace(
    portfolio: unknown,
    window: PortfolioWindow,
    options: Pick<SimulateOptions, 'costs' | 'keepsCourses'> = {},
  ): Promise<PortfolioTrace> {
    const prepared = await this.#prepare(portfolio, window);
    const { definition, account, parts } = prepared;
    const simulation = simulateParts(definition, account, parts, options);
    const market = prepared.market(simulation);
    const { equity, trades, exposedTimes } = simulation;
    const { config } = account;
    return {
      simulation,
      metrics: computeMetrics({ bars: market, first: 0, config, equity, trades, exposedBars: exposedTimes }),
      market,
      config,
      contentHashes: parts.map(({ contentHash }) => contentHash),
      parts,
      warnings: parts.flatMap(({ asset, warnings }) => warnings.map((warning) => `${asset}: ${warning}`)),
    };
  }

  async #prepare(portfolio: unknown, window: PortfolioWindow): Promise<PreparedPortfolio> {
    const definition = parsePortfolio(portfolio);
    const choices = { interval: this.plan.interval ?? undefined, window };
    const account = this.#account(definition, choices);
    const parts = await (definition.kind === 'members'
      ? this.#members(definition, account, choices)
      : this.#assets(definition, account, choices));
    const market = (simulation: PortfolioSimulation): BarSeries => {
      const { times } = simulation.timeline;
      const assets = parts.map(({ asset }) => asset);
      const key = [window.start, window.end, times[0], times.length, ...assets].join(' ');
      const known = this.#markets.get(key);
      if (known !== undefined) return known;
      const made = buildMarket(
        parts.map(({ bars }) => bars),
        simulation.timeline,
        assets,
      );
      this.#markets.set(key, made);
      return made;
    };
    return { definition, account, parts, market };
  }

  /** Portfolios of a sweep mostly share the settings of the account. */
  #account(definition: PortfolioDefinition, choices: RunChoices): PreparedAccount {
    const { kind, interval, config } = definition;
    const key = JSON.stringify([kind, interval, config]);
    const account = this.#accounts.get(key) ?? prepareAccount(definition, choices);
    this.#accounts.set(key, account);
    return account;
  }

  /** Each member is prepared alone, so that portfolios share equal members. */
  async #members(
    definition: Extract<PortfolioDefinition, { kind: 'members' }>,
    account: PreparedAccount,
    choices: RunChoices,
  ): Promise<PreparedMember[]> {
    const { config, rankBy, members } = definition;
    const shared = JSON.stringify([config, rankBy, choices.window]);
    const prepared: PreparedMember[] = [];
    for (const [m, member] of members.entries()) {
      const { strategy, asset, config: own } = member;
      const [found] = (await this.#kept(`${shared} ${JSON.stringify([strategy, asset, own])}`, () =>
        prepareMembers({ ...definition, members: [member] }, account, choices, this.#services, m),
      )) as [PreparedMember];
      prepared.push({ ...found, member: { ...found.member, weight: member.weight } });
    }
    return prepared;
  }

  #assets(
    definition: Extract<PortfolioDefinition, { kind: 'allocation' }>,
    account: PreparedAccount,
    choices: RunChoices,
  ): Promise<PreparedAsset[]> {
    const { assets, rankBy, where } = definition;
    const key = JSON.stringify([choices.window, assets, rankBy, where, account.config.volatility_window]);
    const prepared = this.#kept(key, () => prepareAssets(definition, account, choices, this.#services));
    return prepared as Promise<PreparedAsset[]>;
  }

  #kept(key: string, prepare: () => Promise<readonly (PreparedMember | PreparedAsset)[]>) {
    const known = this.#parts.get(key);
    if (known !== undefined) return known;
    if (this.#parts.size >= PARTS_MAX) this.#parts.clear();
    const made = prepare();
    this.#parts.set(key, made);
    made.catch(() => this.#parts.delete(key));
    return made;
  }
}

/** The returns that the judgement of a sweep keeps of a run. */
export function periodReturns(trace: PortfolioTrace): Float32Array {
  const daily = accountDailyReturns(trace);
  const periods = returnPeriods(daily.length);
  const sums = new Float32Array(periods.count);
  sumByPeriod(daily, periods, sums);
  return sums;
}

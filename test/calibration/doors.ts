import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SplitMix64 } from '../../engine/statistics/index.js';
import { importBars, writeBars } from '../../library/data.js';
import { type PortfolioAxis, runBacktest, runPortfolioSweep, runSweep } from '../../library/index.js';
import { filter, trigger } from '../support/sweeps.js';
import { barsOf, type Market } from './markets.js';

/** Ways to try much and show little, each in a home of its own, by the doors that people have. */
export const doors = ['pairs of a portfolio', 'a member dropped', '500 library calls', 'a renamed copy'] as const;

export interface DoorSetting {
  readonly market: Market;
  readonly hasCosts: boolean;
  readonly door: (typeof doors)[number];
}

/** Whether the last verdict passes, and whether it would if nothing else had been tried. */
export interface DoorVerdict {
  readonly passes: boolean;
  readonly passesAlone: boolean;
}

const P_MAX = 0.05;
const ASSETS = ['A', 'B', 'C', 'D'];
const CALLS = 500;
const range = (min: number, max: number, step = 1) => ({ min, max, step });

type Judged = Awaited<ReturnType<typeof runSweep>>['verdicts'][number] | null;
interface Swept {
  readonly folder: string;
  readonly verdict: Judged;
}

const passes = (verdict: Judged | undefined): boolean => verdict?.luckP != null && verdict.fails === null;
const chance = ({ verdict }: Swept): number =>
  verdict === null ? 2 : Math.max(verdict.luckP ?? 1, verdict.marketP ?? 1, verdict.timing?.pValue ?? 1);
const luckiest = (made: readonly Swept[]): Swept =>
  made.reduce((best, one) => (chance(one) < chance(best) ? one : best));

const rule = (name: string, fast: number, slow: number) =>
  ({ name, signal_type: 'TRIGGER', timeframe: '1h', params: { window_fast: fast, window_slow: slow } }) as const;

/** Follows one of the ways to its end, over markets without skill that the seed draws. */
export async function judgeDoor({ market, hasCosts, door }: DoorSetting, seed: number): Promise<DoorVerdict> {
  const home = mkdtempSync(join(tmpdir(), 'barline-door-'));
  const costs = hasCosts ? {} : { fee_pct: 0, slippage_pct: 0 };
  const held = async (asset: string, of = asset) => {
    const file = join(home, `${of}.parquet`);
    await writeBars(file, barsOf(market, ASSETS.length * seed + ASSETS.indexOf(of)));
    await importBars([file], { asset, home });
  };
  const sweep = async (asset: string, fast: object, slow: object): Promise<Swept> => {
    const plan = {
      name: 'door',
      datasets: [{ asset, timeframe: '1h' }],
      entry_signals: {
        triggers: [trigger('sma_cross_up', { window_fast: fast, window_slow: slow })],
        filters: [filter('is_above_sma', { window: { values: [5] } })],
      },
      exit_signals: { triggers: [], filters: [] },
      execution_config: { base: costs, sweep_axes: [{ param: 'reward_factor', values: [1.5, 3] }] },
    };
    const { folder, verdicts } = await runSweep({ sweep: plan, home, threads: 1 });
    return { folder, verdict: verdicts[0] ?? null };
  };
  const portfolios = async (portfolio: object, sweep_axes: readonly PortfolioAxis[]): Promise<Swept> => {
    const made = { ...portfolio, interval: '1h', execution_config: costs };
    const { folder, verdict } = await runPortfolioSweep({ sweep: { portfolio: made, sweep_axes }, home, threads: 1 });
    return { folder, verdict };
  };
  /** The verdict of one of several as it reads after all of them. */
  const inTheEnd = async (picked: Swept): Promise<DoorVerdict> => {
    const { verdict } = await runPortfolioSweep({ folder: picked.folder, resume: true, home, threads: 1 });
    return verdictOf(verdict, picked);
  };
  try {
    if (door === 'pairs of a portfolio') {
      for (const asset of ASSETS) await held(asset);
      const axes = [
        { param: 'allocation.rank_by', values: ['roc(close, 12)', 'roc(close, 48)', '0 - roc(close, 24)'] },
        { param: 'allocation.where', values: ['close > sma(close, 50)', 'close < sma(close, 20)', 'close > 0'] },
      ];
      const pairs = ASSETS.flatMap((one, k) => ASSETS.slice(k + 1).map((other) => [one, other]));
      const made: Swept[] = [];
      for (const assets of pairs) {
        const allocation = { assets, every: '1d', top: 1, rank_by: 'roc(close, 12)', where: 'close > 0' };
        made.push(await portfolios({ allocation }, axes));
      }
      return await inTheEnd(luckiest(made));
    }
    if (door === 'a member dropped') {
      for (const asset of ASSETS) await held(asset);
      const made: Swept[] = [];
      for (const dropped of ['', ...ASSETS]) {
        const strategy = {
          name: 'cross',
          entry: [rule('sma_cross_up', 10, 40)],
          exit: [rule('sma_cross_down', 10, 40)],
        };
        const members = ASSETS.filter((asset) => asset !== dropped).map((asset) => ({ asset, strategy }));
        const axes = [
          { param: 'members[*].strategy.entry[0].params.window_fast', values: [5, 10, 20] },
          { param: 'members[*].strategy.exit[0].params.window_slow', values: [30, 50, 80] },
        ];
        made.push(await portfolios({ members }, axes));
      }
      return await inTheEnd(luckiest(made));
    }
    await held('A');
    if (door === 'a renamed copy') {
      const first = await sweep('A', range(5, 33, 4), range(40, 110, 10));
      await held('COPY', 'A');
      const [fast = 5, slow = 40] = await bestOf(first.folder, home);
      const last = await sweep('COPY', range(Math.max(2, fast - 2), fast + 2), range(slow - 4, slow + 4, 2));
      return verdictOf(last.verdict, last);
    }
    const random = new SplitMix64(seed);
    let best = { sharpe: -Infinity, fast: 5, slow: 40 };
    for (let call = 0; call < CALLS; call++) {
      const [fast, slow] = [3 + random.below(38), 41 + random.below(80)];
      const strategy = {
        ...{ name: 'call', asset: 'A' },
        entry: [
          rule('sma_cross_up', fast, slow),
          { name: 'is_above_sma', signal_type: 'FILTER', params: { window: 5 } },
        ],
        exit: [],
      } as const;
      const { metrics } = await runBacktest({ strategy, interval: '1h', config: costs, home });
      const sharpe = metrics.total_trades < 30 ? -Infinity : (metrics.sharpe_ratio ?? -Infinity);
      if (sharpe > best.sharpe) best = { sharpe, fast, slow };
    }
    const { fast, slow } = best;
    const last = await sweep('A', range(Math.max(2, fast - 2), fast + 2), range(slow - 4, slow + 4, 2));
    return verdictOf(last.verdict, last);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function verdictOf(end: Judged, { verdict }: Swept): DoorVerdict {
  return { passes: passes(end), passesAlone: verdict !== null && chance({ folder: '', verdict }) <= P_MAX };
}

/** The windows of the run that leads. */
async function bestOf(folder: string, home: string): Promise<number[]> {
  const { best } = await runSweep({ folder, resume: true, home, threads: 1 });
  const [row] = best;
  const params = JSON.stringify(row);
  return ['window_fast', 'window_slow'].map((name) => Number(new RegExp(`${name}\\W+(\\d+)`).exec(params)?.[1]));
}

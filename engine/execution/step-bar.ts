import { type BarSeries, getBit } from '../series/index.js';
import type { Side } from './account.js';
import { atrSource, effectiveAtr } from './atr.js';
import { type FinerBars, finerBars } from './detail.js';
import { type FullConfig, fullConfig } from './full-config.js';
import { fundingRate, hasSettledFunding } from './funding.js';
import type { SimulationInput } from './simulation.js';
import { annualVolatility, volatilityScale } from './volatility.js';

/** The answers of the rules of both sides at a close. */
interface RuleAnswers {
  readonly entry: Readonly<Record<Side, boolean>>;
  readonly exit: Readonly<Record<Side, boolean>>;
}

/** One bar as an account sees it that trades both sides. */
export interface StepBar extends RuleAnswers {
  /** Number of the bar; the next bar has the next number. */
  readonly index: number;
  /** Open time, epoch ms. */
  readonly time: number;
  readonly intervalMs: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  /** Of the bar before. */
  readonly volumeBefore: number;
  /** At this close; null while warming up. They are read only where an entry rule is true. */
  readonly atr: number | null;
  readonly volatilityScale: number | null;
  readonly volatility: number | null;
  /** Rate settled in the bar; null where the bars have no settled funding. */
  readonly funding: number | null;
  /** Null without a detail interval. */
  readonly finer: FinerBars | null;
  /** No bar follows: open positions are sold at this close. */
  readonly isLast: boolean;
}

/** Bar `i` of a run in the form that `step` takes. */
export function stepBar(
  input: Omit<SimulationInput, 'first' | 'equity'>,
  i: number,
  config = fullConfig(input.config),
  isLast = i === input.bars.barCount - 1,
): StepBar {
  const { bars, entry, exit, shortEntry, shortExit, detail } = input;
  const rules = {
    entry: { long: getBit(entry, i), short: shortEntry !== undefined && getBit(shortEntry, i) },
    exit: { long: getBit(exit, i), short: shortExit !== undefined && getBit(shortExit, i) },
  };
  return stepBarOf(bars, i, rules, config, detail, isLast);
}

/**
 * The same with the answers of the rules at the close of the bar in place of masks.
 * @param detail finer bars, for `detail_interval`
 */
export function stepBarOf(
  bars: BarSeries,
  i: number,
  rules: RuleAnswers,
  config: FullConfig,
  detail: BarSeries | undefined,
  isLast = i === bars.barCount - 1,
): StepBar {
  const isAny = rules.entry.long || rules.entry.short;
  const needsAtr = isAny && (config.stop_loss_calculation === 'dynamic_atr' || config.entry_offset_atr !== null);
  const known = (value: number): number | null => (Number.isNaN(value) ? null : value); // JSON has no NaN
  // Spelled out: a literal that begins with a spread takes ten times as long to make.
  return {
    entry: rules.entry,
    exit: rules.exit,
    index: i,
    time: bars.time[i],
    intervalMs: bars.intervalMs,
    open: bars.open[i],
    high: bars.high[i],
    low: bars.low[i],
    close: bars.close[i],
    volume: bars.volume[i],
    volumeBefore: i === 0 ? 0 : bars.volume[i - 1],
    atr: needsAtr ? known(effectiveAtr(atrSource(bars, config), i, config)) : null,
    volatilityScale: isAny ? known(volatilityScale(bars, i, config)) : null,
    volatility:
      isAny && config.position_sizing === 'volatility_target' ? known(annualVolatility(bars, i, config)) : null,
    funding: hasSettledFunding(bars) ? fundingRate(bars, i, config) : null,
    finer: config.detail_interval === null ? null : finerBars(bars, i, detail),
    isLast,
  };
}

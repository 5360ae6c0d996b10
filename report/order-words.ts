import { type ExecutionConfig, type FullConfig, fullConfig } from '../engine/execution/index.js';
import { numberLabel, percent } from './format.js';
import type { TearSheet } from './sheet.js';

const DIGITS_MAX = 3;

/** With as many decimals as it needs: `2 %`, `0.4 %`. */
function share(fraction: number): string {
  let digits = 0;
  while (digits < DIGITS_MAX && Math.abs(Number((100 * fraction).toFixed(digits)) - 100 * fraction) > 1e-9) digits++;
  return percent(fraction, digits);
}
const times = (count: number, noun: string): string => `${numberLabel(count)} ${noun}${count === 1 ? '' : 's'}`;
const distances = (count: number): string => times(count, 'stop distance');

/** How a strategy trades beyond buying at the market with a stop and a target that stay, in words. */
export function orderWords({ execution }: Pick<TearSheet, 'execution'>): string[] {
  const config = fullConfig(execution as ExecutionConfig);
  return [entries, margin, stops, targets, parts, opposite, guards].flatMap((words) => words(config));
}

function entries({ entry_order, entry_offset_pct, entry_offset_atr, entry_valid_bars }: FullConfig): string[] {
  if (entry_order === 'market') return [];
  const offset = entry_offset_pct === null ? `${numberLabel(entry_offset_atr ?? 0)} ATR` : share(entry_offset_pct);
  const where = entry_order === 'limit' ? 'better than the close' : 'beyond the close';
  return [`entries are ${entry_order} orders ${offset} ${where}, good for ${times(entry_valid_bars, 'bar')}`];
}

function margin({ leverage, borrow_rate, max_gross_exposure }: FullConfig): string[] {
  return [
    ...(leverage === 1 ? [] : [`positions are ${numberLabel(leverage)} times their margin, and can be liquidated`]),
    ...(borrow_rate === 0 ? [] : [`what is borrowed costs ${share(borrow_rate)} a year`]),
    ...(max_gross_exposure === null
      ? []
      : [`all positions together are at most ${numberLabel(max_gross_exposure)} times the account`]),
  ];
}

function stops(config: FullConfig): string[] {
  if (!config.stop_order) return ['no stop is placed; its distance still sets size and target'];
  const { trailing_distance, trailing_start, break_even_at, break_even_offset_pct } = config;
  const from = trailing_start === 0 ? '' : ` once it has gained ${distances(trailing_start)}`;
  const beside = break_even_offset_pct === 0 ? '' : ` and ${share(break_even_offset_pct)}`;
  return [
    ...(trailing_distance === null ? [] : [`the stop trails the best price by ${distances(trailing_distance)}${from}`]),
    ...(break_even_at === null
      ? []
      : [`the stop moves to the entry${beside} once the price has gained ${distances(break_even_at)}`]),
  ];
}

function targets(config: FullConfig): string[] {
  const { target_calculation, fixed_target_pct, target_schedule, target_order } = config;
  const limit = target_order === 'limit' ? ['targets and parts are limit orders: a touch does not fill them'] : [];
  if (target_calculation === 'none') return ['there is no target', ...limit];
  if (target_calculation === 'fixed') return [`the target is ${share(fixed_target_pct)} from the entry`, ...limit];
  if (target_calculation === 'reward') return limit;
  const steps = (target_schedule ?? []).map(([bars, pct]) =>
    bars === 0 ? `${share(pct)} at first` : `${share(pct)} after ${times(bars, 'bar')}`,
  );
  return [`the target is ${steps.join(', ')}`, ...limit];
}

function parts({ scale_out }: FullConfig): string[] {
  if (scale_out === null) return [];
  const steps = scale_out.map(([at, part]) => `${share(part)} at ${distances(at)}`);
  return [`parts are sold on the way: ${steps.join(', ')}`];
}

function opposite({ opposite_entry }: FullConfig): string[] {
  const words: Readonly<Record<string, string>> = {
    close: 'an entry of the other side closes what is open and opens nothing',
    reverse: 'an entry of the other side closes what is open and takes its place',
    hedge: 'both sides may be open at once',
  };
  const said = words[opposite_entry];
  return said === undefined ? [] : [said];
}

function guards(config: FullConfig): string[] {
  const { guard_max_drawdown, guard_daily_loss, guard_group_stop, guard_pause_bars } = config;
  const pause = guard_pause_bars === 0 ? 'for the rest of the run' : `for ${times(guard_pause_bars, 'bar')}`;
  return [
    ...(guard_max_drawdown === null
      ? []
      : [`a drawdown of ${share(guard_max_drawdown)} closes everything and stops entries ${pause}`]),
    ...(guard_daily_loss === null
      ? []
      : [`a loss of ${share(guard_daily_loss)} in a day closes everything and stops entries to its end`]),
    ...(guard_group_stop === null
      ? []
      : [`an open loss of ${share(guard_group_stop)} of the account closes everything and stops entries ${pause}`]),
  ];
}

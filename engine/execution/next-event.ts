import { getBit, type Mask, nextBit } from '../series/index.js';
import { heldOf, levelsOf, moveStop, type Position, signOf } from './account.js';
import { barLimit, decideExit } from './exits.js';
import type { FullConfig } from './full-config.js';
import type { SimulationInput } from './simulation.js';
import { type Fill, touch } from './touches.js';

/** Whether stops move at closes. */
export const isMoving = ({ trailing_distance, break_even_at }: FullConfig): boolean =>
  trailing_distance !== null || break_even_at !== null;

/**
 * The next bar from `from` on in which a position reaches a level, or at whose close an exit is
 * decided, or the last one. It depends on the data and the entry, not on the account.
 */
export function nextEventOf(
  position: Position,
  from: number,
  { bars, exit, shortExit }: Pick<SimulationInput, 'bars' | 'exit' | 'shortExit'>,
  config: FullConfig,
): number {
  const { side, entryBar } = position;
  const sign = signOf(side);
  const [high, low] = sign === 1 ? [bars.high, bars.low] : [bars.low, bars.high];
  const rule = side === 'long' ? exit : shortExit;
  const last = bars.barCount - 1;
  const signal = nextOf(rule, from);
  const certain = Math.min(signal, Math.max(from, entryBar + barLimit(config.hold_limit_bars) - 1), last);
  const patience = Math.min(
    barLimit(config.exit_on_loss_after_bars),
    barLimit(config.exit_on_profit_after_bars),
    last, // keeps the sum an integer when both are off
  );
  const earliest = Math.min(certain, entryBar + patience - 1);
  const ahead = { ...position };
  let [loss, gain] = nearestLevels(ahead, from, config);
  let change = nextTarget(entryBar, from, config);
  const isTrailed = isMoving(config);
  for (let bar = from; bar < certain; bar++) {
    if (bar === change) {
      gain = nearestLevels(ahead, bar, config)[1];
      change = nextTarget(entryBar, bar, config);
    }
    // The open of a bar lies within its range, so low and high are enough.
    if (sign * low[bar] <= loss || sign * high[bar] >= gain) return bar;
    if (isTrailed && (ahead.best === null || sign * high[bar] > sign * ahead.best)) {
      moveStop(ahead, bar, high[bar], config);
      loss = nearestLevels(ahead, bar, config)[0];
    }
    if (bar < earliest) continue;
    const isRuled = rule !== undefined && getBit(rule, bar);
    if (decideExit(position, sign, bar, bars.close[bar], isRuled, config) !== null) return bar;
  }
  return certain;
}

/** Where a position is sold as a whole. */
export interface ExitAlone extends Pick<Fill, 'raw' | 'reason' | 'isLimit'> {
  readonly bar: number;
  readonly isAtOpen: boolean;
}

/**
 * The exit of a position that nothing but its bars changes, see `dependsOnEntry`, and that no part
 * is sold of; null where the bars end before it.
 */
export function exitAlone(
  position: Position,
  input: Pick<SimulationInput, 'bars' | 'exit' | 'shortExit'>,
  config: FullConfig,
): ExitAlone | null {
  const { bars } = input;
  const sign = signOf(position.side);
  const rule = position.side === 'long' ? input.exit : input.shortExit;
  for (let from = position.entryBar; from < bars.barCount; from++) {
    const bar = nextEventOf(position, from, input, config);
    const fills: Fill[] = [];
    const range = { open: bars.open[bar], high: bars.high[bar], low: bars.low[bar] };
    touch(heldOf(position), levelsOf(position, bar, config), range, fills);
    if (fills.length > 0) return { ...fills[0], bar, isAtOpen: false };
    const isRuled = rule !== undefined && getBit(rule, bar);
    const reason = decideExit(position, sign, bar, bars.close[bar], isRuled, config);
    const next = bar + 1;
    if (reason !== null && next < bars.barCount) {
      return { bar: next, raw: bars.open[next], reason, isLimit: false, isAtOpen: true };
    }
    from = bar;
  }
  return null;
}

/** First bar from a bar on at which a rule is true; Infinity where none follows. */
export const nextOf = (mask: Mask | undefined, from: number): number => {
  const bar = mask === undefined ? -1 : nextBit(mask, from);
  return bar === -1 ? Infinity : bar;
};

/** Nearest level on the losing and on the winning side, times the sign of the position. */
function nearestLevels(position: Position, bar: number, config: FullConfig): [loss: number, gain: number] {
  const { sign, stop, liquidation, target, parts } = levelsOf(position, bar, config);
  const part = parts[position.partsSold];
  const known = (level: number, otherwise: number) => (Number.isNaN(level) ? otherwise : sign * level);
  return [
    Math.max(known(stop, -Infinity), known(liquidation, -Infinity)),
    Math.min(known(target, Infinity), part === undefined ? Infinity : sign * part.price),
  ];
}

/** The next bar after `bar` from which another pair of the target schedule holds. */
function nextTarget(entryBar: number, bar: number, { target_calculation, target_schedule }: FullConfig): number {
  if (target_calculation !== 'schedule') return Infinity;
  const next = target_schedule?.find(([bars]) => entryBar + bars > bar);
  return next === undefined ? Infinity : entryBar + next[0];
}

import { firstBarFrom } from '../series/index.js';
import {
  type Account,
  openAccount,
  type Position,
  payFunding,
  sellPosition,
  sellScheduled,
  sellTouched,
  type Trade,
} from './account.js';
import type { ExecutionConfig } from './config.js';
import type { DenialReason } from './denials.js';
import { fundingRate } from './funding.js';
import { checkInput, type SimulationInput } from './simulation.js';
import { decide, fillPendingEntry, stepBar } from './step.js';

/** A position bought at any moment, possibly inside a bar. */
export interface PaperPosition extends Position {
  readonly id: string;
  /** Epoch ms. `entryBar` is the first bar that closes after it. */
  readonly entryTime: number;
}

/**
 * An account that is evaluated at chosen moments instead of bar by bar. Plain data without NaN or
 * infinities, so it survives JSON. Its bar numbers count the bars present in the data; each
 * evaluation continues the count of the one before.
 */
export interface PaperAccount extends Account {
  positions: PaperPosition[];
  /**
   * Number of the newest bar whose close was evaluated, and its open time; -1 and null before the
   * first evaluation.
   */
  lastBar: number;
  lastBarTime: number | null;
}

interface EvaluationInput extends Omit<SimulationInput, 'first' | 'equity'> {
  /** The latest price, above 0, and its time (epoch ms). */
  readonly price: number;
  readonly time: number;
  /** Id for the position that this evaluation may open; it opens at most one. */
  readonly positionId: string;
  /** Id of a position that a person sells at the price, if it is still open after all else. */
  readonly closing?: string | undefined;
}

export type EvaluationEvent =
  | { readonly kind: 'exit'; readonly position: PaperPosition; readonly trade: Trade; readonly time: number }
  | { readonly kind: 'entry'; readonly position: PaperPosition; readonly time: number }
  | { readonly kind: 'denial'; readonly reason: DenialReason; readonly time: number };

interface Evaluation {
  readonly account: PaperAccount;
  /** In the order they happened. */
  readonly events: readonly EvaluationEvent[];
}

export const openPaperAccount = (config: ExecutionConfig): PaperAccount => ({
  ...openAccount(config),
  positions: [],
  lastBar: -1,
  lastBarTime: null,
});

/**
 * Evaluates an account at one moment, as `step` does once per bar. The account handed in does not
 * change. First, stops and targets are tested against the bars closed since the last evaluation,
 * oldest first. Then the close of the newest bar decides exits and an entry, which fill at the
 * price. Last, stops and targets are tested against the price. Between two closes only this last
 * test runs, so a second evaluation inside a bar neither enters again nor exits again by signal or
 * time.
 *
 * A position bought inside a bar is not tested against the range of that bar, because part of the
 * range came before the purchase.
 *
 * Called at every close with the next open as price, it makes the trades of `simulate`, except for
 * END exits. Positions that close within the same bar may close in a different order.
 *
 * @param input its bars are closed, at least one, and reach back to the first bar not yet
 *   evaluated, or as far as the data goes
 */
export function evaluateAccount(before: PaperAccount, input: EvaluationInput): Evaluation {
  const { bars, config, price, time } = input;
  checkInput({ ...input, first: 0 });
  if (bars.barCount === 0) throw new RangeError('an evaluation needs a closed bar');
  const account = structuredClone(before);
  const events: EvaluationEvent[] = [];
  const { lastBar, lastBarTime } = before;
  const newFrom = lastBarTime === null ? 0 : firstBarFrom(bars, lastBarTime + 1);
  const numberOf = (i: number) => lastBar + 1 + i - newFrom;
  const sell = (at: number, fill: (trades: Trade[]) => void) => events.push(...exitsOf(account, at, fill));

  for (let i = newFrom; i < bars.barCount && account.positions.length > 0; i++) {
    sell(bars.time[i], (trades) => judgeBar(account, numberOf(i), i, input, trades));
  }
  const isNewBar = newFrom < bars.barCount;
  const decisionBar = isNewBar ? numberOf(bars.barCount - 1) : lastBar;
  const now = decisionBar + 1; // the bar that is forming
  if (isNewBar) {
    const decision = { ...stepBar({ ...input, first: 0 }, bars.barCount - 1), index: decisionBar };
    const isEntered = account.positions.some(({ entryBar }) => entryBar > decisionBar);
    decide(account, decision, config);
    if (isEntered) account.pendingEntry = null; // this close already had its entry
    sell(time, (trades) => sellScheduled(account, now, price, config, trades));
    events.push(...enter(account, now, input));
    account.lastBar = decisionBar;
    account.lastBarTime = bars.time[bars.barCount - 1];
  }
  sell(time, (trades) => sellTouched(account, now, price, price, price, config, trades));
  const closed = account.positions.findIndex(({ id }) => id === input.closing);
  if (closed >= 0) sell(time, (trades) => trades.push(sellPosition(account, closed, now, price, 'MANUAL', config)));
  return { account, events };
}

/**
 * Tests stops and targets against one bar and pays its funding, for the positions that were open
 * for all of it. They stand first, because positions are in order of purchase.
 */
function judgeBar(
  account: PaperAccount,
  number: number,
  i: number,
  { bars, config }: EvaluationInput,
  trades: Trade[],
): void {
  const youngest = account.positions.findIndex(({ entryTime }) => entryTime > bars.time[i]);
  const young = youngest === -1 ? [] : account.positions.splice(youngest);
  sellTouched(account, number, bars.open[i], bars.high[i], bars.low[i], config, trades);
  payFunding(account, bars.close[i], fundingRate(bars, i, config));
  account.positions.push(...young);
}

/** Fills the pending entry and gives the position its id and its entry time. */
function enter(
  account: PaperAccount,
  bar: number,
  { time, price, positionId, config }: EvaluationInput,
): EvaluationEvent[] {
  const held = account.positions.length;
  const reason = fillPendingEntry(account, { index: bar, time, open: price }, config);
  if (reason !== null) return [{ kind: 'denial', reason, time }];
  return account.positions.splice(held).map((bought) => {
    const targetPrice = Math.min(bought.targetPrice, Number.MAX_VALUE); // JSON has no infinity
    const position = { ...bought, targetPrice, id: positionId, entryTime: time };
    account.positions.push(position);
    return { kind: 'entry', position, time };
  });
}

/**
 * An event for every trade that `fill` makes, with the position it closed. Trades come in the order
 * of the positions.
 */
function exitsOf(account: PaperAccount, time: number, fill: (trades: Trade[]) => void): EvaluationEvent[] {
  const held = [...account.positions];
  const trades: Trade[] = [];
  fill(trades);
  if (trades.length === 0) return [];
  const kept = new Set(account.positions);
  const sold = held.filter((position) => !kept.has(position));
  return trades.map((trade, k) => ({ kind: 'exit', position: sold[k], trade, time }));
}

import { ADMITTED, Denial } from '../formulas/gates.js';
import { type BarSeries, getBit } from '../series/index.js';
import {
  type Account,
  accountValue,
  openAccount,
  payFunding,
  sellRest,
  sellScheduled,
  sellTouched,
  type Trade,
} from './account.js';
import { atrSource, effectiveAtr } from './atr.js';
import type { ExecutionConfig } from './config.js';
import { DenialLog, type DenialReason, denialReasons } from './denials.js';
import { accountGate, buy, proposeEntry } from './entry.js';
import { decideExit } from './exits.js';
import { fundingRate } from './funding.js';
import { MovedRanges } from './moved-ranges.js';
import { simulateSides } from './sided-step.js';
import { checkInput, isSided, type Simulation, type SimulationInput } from './simulation.js';
import { volatilityScale } from './volatility.js';

/** One bar as an account sees it. */
export interface StepBar {
  /** Number of the bar; the next bar has the next number. */
  readonly index: number;
  /** Open time, epoch ms. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** The rules at the close of this bar. */
  readonly entry: boolean;
  readonly exit: boolean;
  /**
   * Effective ATR and volatility factor at this close, NaN while warming up; read only when `entry`
   * is true.
   */
  readonly atr: number;
  readonly volatilityScale: number;
  readonly volume: number;
  /** Funding rate settled in the bar, 0 without one. */
  readonly funding: number;
  /** No bar follows: open positions are sold at this close. */
  readonly isLast: boolean;
}

interface StepResult {
  /** Trades closed in this bar, in order. */
  readonly trades: readonly Trade[];
  /**
   * Why the entry signalled at the previous close did not fill at this open; null when it filled or
   * there was no signal.
   */
  readonly denial: DenialReason | null;
  /** A position was open after the fills at the open. */
  readonly isExposed: boolean;
  /** Account value at the close. */
  readonly value: number;
}

/**
 * Moves an account through one bar, changing it in place. At the open, scheduled exits fill, then
 * the pending entry. Inside the bar, stops and targets fill. At the close, funding is paid, the
 * account is valued, exits are decided and an entry is noted. So nothing decided at a close fills
 * before the next open. All state is in the account, which may be stored between any two bars.
 */
export function step(account: Account, bar: StepBar, config: ExecutionConfig): StepResult {
  const { trades, denial } = fillOpen(account, bar, config);
  const isExposed = account.positions.length > 0;
  sellTouched(account, bar.index, bar.open, bar.high, bar.low, config, trades);
  payFunding(account, bar.close, bar.funding);
  if (bar.isLast) sellRest(account, bar.index, bar.close, config, trades);
  decide(account, bar, config);
  return { trades, denial, isExposed, value: accountValue(account, bar.close) };
}

/** Fills what was decided at the previous close at the open of `bar`: exits first, then the entry. */
export function fillOpen(
  account: Account,
  bar: Pick<StepBar, 'index' | 'time' | 'open'>,
  config: ExecutionConfig,
): { readonly trades: Trade[]; readonly denial: DenialReason | null } {
  const trades: Trade[] = [];
  sellScheduled(account, bar.index, bar.open, config, trades);
  return { trades, denial: fillPendingEntry(account, bar, config) };
}

/**
 * Fills the pending entry at the open of `bar`.
 *
 * @returns why the entry was denied; null when it filled or there was no entry
 */
export function fillPendingEntry(
  account: Account,
  bar: Pick<StepBar, 'index' | 'time' | 'open'>,
  config: ExecutionConfig,
): DenialReason | null {
  const { pendingEntry: pending } = account;
  if (pending === null) return null;
  account.pendingEntry = null; // never retried
  const { index, time, open } = bar;
  const code = accountGate(account, index, time, open, pending.isConflicted, config);
  if (code !== ADMITTED) return denialReasons[code];
  const { atr, volatilityScale: scale, volume } = pending;
  const entry = proposeEntry(account, index, open, atr ?? NaN, scale ?? NaN, config, volume);
  if (typeof entry === 'number') return denialReasons[entry];
  buy(account, entry, time);
  return null;
}

/**
 * Decides at the close of `bar` what fills at the next open: exits of positions that were open at
 * this close, and an entry.
 */
export function decide(account: Account, bar: StepBar, config: ExecutionConfig): void {
  for (const position of account.positions) {
    if (position.entryBar > bar.index) continue; // bought after this close
    const reason = decideExit(position, bar.index, bar.close, bar.exit, config);
    if (reason === null) continue;
    position.scheduledReason = reason;
    position.exitBar = bar.index + 1;
  }
  if (bar.entry) {
    account.pendingEntry = {
      isConflicted: bar.exit,
      atr: Number.isNaN(bar.atr) ? null : bar.atr, // JSON has no NaN
      volatilityScale: Number.isNaN(bar.volatilityScale) ? null : bar.volatilityScale,
      volume: bar.volume,
    };
  }
}

/**
 * The whole run as a loop over `step`, one bar after the other. `simulate` must equal it in every
 * bit; this loop is about ten times slower.
 */
export function simulateByStep(input: SimulationInput): Simulation {
  checkInput(input);
  if (isSided(input)) return simulateSides(input);
  const { bars, first, config } = input;
  const account = openAccount(config);
  const trades: Trade[] = [];
  const denials = new DenialLog();
  const equity = input.equity ?? new Float64Array(bars.barCount - first);
  const moved = new MovedRanges();
  let exposedBars = 0;
  let wasOpen = false;
  for (let i = first; i < bars.barCount; i++) {
    const result = step(account, stepBar(input, i), config);
    trades.push(...result.trades);
    if (result.denial !== null) denials.add(i, Denial[result.denial]);
    if (result.isExposed) exposedBars++;
    const k = i - first;
    equity[k] = result.value;
    const isOpen = account.positions.length > 0;
    if (isOpen || wasOpen || equity[k] !== equity[k - 1]) moved.add(k, k + 1);
    wasOpen = isOpen;
  }
  return { trades, denials: denials.finish(), equity, movedRanges: moved.finish(equity.length), exposedBars };
}

/** Bar `i` of a run in the form that `step` takes. */
export const stepBar = ({ bars, entry, exit, config }: SimulationInput, i: number): StepBar =>
  stepBarOf(bars, i, { entry: getBit(entry, i), exit: getBit(exit, i) }, config);

/** The same with the answers of the rules at the close of the bar in place of masks. */
export function stepBarOf(
  bars: BarSeries,
  i: number,
  { entry: isEntry, exit: isExit }: { readonly entry: boolean; readonly exit: boolean },
  config: ExecutionConfig,
): StepBar {
  const needsAtr = isEntry && config.stop_loss_calculation === 'dynamic_atr';
  return {
    index: i,
    time: bars.time[i],
    open: bars.open[i],
    high: bars.high[i],
    low: bars.low[i],
    close: bars.close[i],
    entry: isEntry,
    exit: isExit,
    atr: needsAtr ? effectiveAtr(atrSource(bars, config), i, config) : NaN,
    volatilityScale: isEntry ? volatilityScale(bars, i, config) : NaN,
    volume: bars.volume[i],
    funding: fundingRate(bars, i, config),
    isLast: i === bars.barCount - 1,
  };
}

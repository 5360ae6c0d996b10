import { type GuardState, isGuarded, openGuard, openPurse, type Purse, readGuards } from '../execution/index.js';
import type { BarSeries } from '../series/index.js';
import { type Contributions, nextFlow, pay } from './contributions.js';
import { type EndedAssets, guardSettings, hasEnded, isGuardSet, neverEnded, type PortfolioGuards } from './ended.js';
import { type Kept, RunLedger } from './result.js';
import { buildTimeline, type Timeline } from './timeline.js';

/** What an account over several assets reads of its portfolio, by rules or by weights. */
export interface SharedInput extends Kept {
  /** First open time of the window, epoch ms. */
  readonly start: number;
  readonly guards: PortfolioGuards;
  /** Default: none ever ends. */
  readonly ended?: EndedAssets;
  /** Default: none. */
  readonly contributions?: Contributions | null;
}

/** An account in the middle of its bars, to go on from. It is changed in place. */
export interface BegunAccount {
  /** Number of the first time of the window. */
  readonly firstTime: number;
  readonly purse: Purse;
  readonly guard: GuardState;
}

/** One account over several assets: its times, its cash, its guard and its ledger. */
export class SharedAccount {
  readonly timeline: Timeline;
  readonly ledger: RunLedger;
  readonly purse: Purse;
  readonly guard: GuardState;
  /** Nobody asks what the guards remember: none is set, and the account is a new one. */
  readonly isUnguarded: boolean;
  private readonly guards;
  private readonly ended;
  private readonly contributions;
  /** The time at hand, as guards take it. */
  private readonly now = { index: 0, time: 0 };

  /** @param begun what to go on from; default: a new account */
  constructor(
    private readonly series: readonly BarSeries[],
    input: SharedInput,
    initialBalance: number,
    private readonly begun: BegunAccount | null,
  ) {
    const { start, guards, ended = neverEnded, contributions = null } = input;
    this.timeline = buildTimeline(series, start);
    this.ledger = new RunLedger(this.timeline, series.length, input);
    this.purse = begun?.purse ?? openPurse(initialBalance);
    this.guard = begun?.guard ?? openGuard(initialBalance);
    this.guards = guardSettings(guards);
    this.isUnguarded = begun === null && !isGuardSet(guards);
    this.ended = ended;
    this.contributions = contributions;
  }

  /**
   * Goes through all times, and pays contributions at theirs.
   * @param pass moves the account through time `i`, or through the idle ones before `until`, and
   *   returns the next time
   */
  run(pass: (i: number, until: number) => number): void {
    const { contributions, ledger, purse } = this;
    const { times } = this.timeline;
    let flowsAt = nextFlow(contributions, times, 1);
    for (let i = 0; i < times.length; ) {
      if (contributions !== null && i === flowsAt) {
        ledger.addFlow(i, pay(contributions, purse));
        flowsAt = nextFlow(contributions, times, i + 1);
      }
      i = pass(i, flowsAt);
    }
  }

  /** Whether a guard denies entries at a time of the window. */
  isGuarded(i: number): boolean {
    return isGuarded(this.guard, this.timeNumber(i), this.timeline.times[i]);
  }

  /** Reads the guards at a close. @returns whether one broke */
  readGuards(i: number, value: number, openLoss: number): boolean {
    if (this.isUnguarded) return false;
    this.now.index = this.timeNumber(i);
    this.now.time = this.timeline.times[i];
    const weighted = this.ledger.weighted(i, value);
    const loss = value > 0 ? openLoss * (weighted / value) : openLoss;
    return readGuards(this.guard, this.now, weighted, loss, this.guards);
  }

  /** Whether the bars of an asset have ended by a time of the window; `bar` is its newest. */
  hasEnded(i: number, asset: number, bar: number): boolean {
    const { timeline, series, ended } = this;
    return timeline.bars[asset][i] < 0 && hasEnded(series, series[asset], bar, timeline.times[i], ended);
  }

  /** What the holder of an asset gets whose bars have ended at a close. */
  endedPrice(close: number): number {
    return this.ended.ended_price === 'zero' ? 0 : close;
  }

  /** The number of a time of the window. */
  private timeNumber(i: number): number {
    return this.begun === null ? i : this.begun.firstTime + i;
  }
}

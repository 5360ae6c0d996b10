import { Denial } from '../formulas/gates.js';
import { type Account, openAccount } from './account.js';
import { stretchesAlone } from './alone.js';
import { DenialLog } from './denials.js';
import { openCounts } from './detail.js';
import { type FullConfig, fullConfig } from './full-config.js';
import { MovedRanges } from './moved-ranges.js';
import { checkInput, isPlain, type Simulation, type SimulationInput } from './simulation.js';
import { type AccountEvent, step } from './step.js';
import { stepBar } from './step-bar.js';
import type { Trade } from './trade.js';

/** A run in progress: the account, and what the bars so far gave. */
export class SteppedRun {
  readonly config: FullConfig;
  readonly account: Account;
  readonly equity: Float64Array;
  /** Null where the caller lent the equity, as it keeps no cash then. */
  readonly cash: Float64Array | null;
  readonly moved = new MovedRanges();
  exposedBars = 0;
  private readonly trades: Trade[] = [];
  private readonly denials = new DenialLog();
  private readonly deniedShorts: number[] = [];
  private readonly counts = openCounts();
  private wasOpen = false;

  /** @param log takes what happens, in order */
  constructor(
    readonly input: SimulationInput,
    private readonly log: AccountEvent[] | null = null,
  ) {
    const { bars, first, config, equity } = input;
    this.config = fullConfig(config);
    this.account = openAccount(this.config, { isPlain: isPlain(input) });
    this.equity = equity ?? new Float64Array(bars.barCount - first);
    this.cash = equity === undefined ? new Float64Array(this.equity.length) : null;
  }

  /** Moves the account through bar `i`. */
  step(i: number): void {
    const { input, config, account, equity } = this;
    const result = step(account, stepBar(input, i, config), config, this.counts, this.log);
    this.trades.push(...result.trades);
    for (const { side, reason } of result.denials) {
      if (side === 'short') this.deniedShorts.push(this.denials.size);
      this.denials.add(i, Denial[reason]);
    }
    if (result.isExposed) this.exposedBars++;
    const k = i - input.first;
    equity[k] = result.value;
    if (this.cash !== null) this.cash[k] = account.purse.cash;
    const isOpen = account.positions.length > 0;
    if (isOpen || this.wasOpen || equity[k] !== equity[k - 1]) this.moved.add(k, k + 1);
    this.wasOpen = isOpen;
  }

  finish(): Simulation {
    const { account, trades, denials, equity, moved, exposedBars, cash, deniedShorts, counts: detail } = this;
    const movedRanges = moved.finish(equity.length);
    const alone = stretchesAlone(this.input, trades);
    const run = { trades, denials: denials.finish(), equity, movedRanges, alone, exposedBars };
    if (account.isPlain) return run;
    const orders = { placed: account.ordersPlaced, expired: account.ordersExpired };
    return { ...run, sided: { cash: cash ?? new Float64Array(0), deniedShorts, orders, detail } };
  }
}

/**
 * The whole run as a loop over `step`, one bar after the other. `simulate` must equal it in every
 * bit; this loop is some ten times slower than `jump`, and a hundred times slower than a plain run.
 */
export function simulateByStep(input: SimulationInput): Simulation {
  checkInput(input);
  const run = new SteppedRun(input);
  for (let i = input.first; i < input.bars.barCount; i++) run.step(i);
  return run.finish();
}

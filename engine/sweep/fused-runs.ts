import { barLimit, checkConfig, type ExecutionConfig, floorAmount } from '../execution/index.js';
import type { RunMeasures } from '../metrics/index.js';
import { ColumnPool } from '../series/column-pool.js';
import { type BarSeries, countUpTo, dayEnds, type Mask, wordCount } from '../series/index.js';
import { type Kernels, kernelsIn } from '../simd/kernels.js';
import { AtrBeside } from './atr-beside.js';

const POSITIONS_MAX = 64;
/** Doubles of the structures in simd/assembly/run.ts. */
const INPUTS = 45;
const FACTS = 21;
const POSITION = 8;
/** Where settings begin among the inputs. */
const SETTINGS_AT = 18;

/**
 * Runs of which only the figures are kept, simulated and measured in one WebAssembly call, bit by bit as `simulate` and the
 * measures of its result. Bars, rules, settings and answers stand in one memory, so that a call passes two addresses.
 */
export class FusedRuns {
  readonly #input: Float64Array;
  readonly #facts: Float64Array;
  readonly #entry: RuleRoom;
  readonly #exit: RuleRoom;
  readonly #atr: AtrBeside;
  readonly #dayCount: number;

  /** Null where the kernels do not reach, or no bar is tradable. */
  static over(bars: BarSeries, first: number): FusedRuns | null {
    const { barCount, time, open, high, low, close } = bars;
    const columns = [time, open, high, low, close];
    if (first >= barCount || kernelsIn(columns) === null) return null;
    const room = ColumnPool.beside(close).take(Object.values(lengthsOf(bars)).reduce((sum, length) => sum + length));
    const kernels = kernelsIn([...columns, room]);
    return kernels === null ? null : new FusedRuns(bars, first, room, kernels);
  }

  private constructor(
    private readonly bars: BarSeries,
    first: number,
    private readonly room: Float64Array,
    private readonly kernels: Kernels,
  ) {
    const { barCount, time, open, high, low, close } = bars;
    const lengths = lengthsOf(bars);
    let next = 0;
    const take = (name: keyof typeof lengths): Float64Array => {
      const from = next;
      next += lengths[name];
      return room.subarray(from, next);
    };
    this.#input = take('input');
    this.#facts = take('facts');
    this.#entry = new RuleRoom(take('entry'), barCount);
    this.#exit = new RuleRoom(take('exit'), barCount);
    this.#atr = new AtrBeside(bars);
    const ends = dayEnds(bars);
    const firstDay = countUpTo(ends, first);
    this.#dayCount = ends.length - firstDay;
    const days = take('days').byteOffset;
    new Int32Array(room.buffer, days, ends.length).set(ends);
    const atrs = [0, 0];
    this.#input.set([
      ...[close.byteOffset, days, firstDay, ends.length, take('returns').byteOffset, take('ranges').byteOffset],
      ...[barCount, first, time.byteOffset, open.byteOffset, high.byteOffset, low.byteOffset, ...atrs],
      ...[this.#entry.byteOffset, this.#exit.byteOffset, take('positions').byteOffset, take('lossBars').byteOffset],
    ]);
  }

  /**
   * @returns null where the settings are not covered: more than 64 positions, volatility adjustment
   * @throws EngineError when they are not valid
   */
  run(entry: Mask, exit: Mask, config: ExecutionConfig): RunMeasures | null {
    checkConfig(config);
    const isAdjusted = config.enable_volatility_adjustment && config.volatility_mode !== 'off';
    if (isAdjusted || config.max_open_positions > POSITIONS_MAX) return null;
    const input = this.#input;
    if (config.stop_loss_calculation === 'dynamic_atr') {
      const { short, long } = this.#atr.columns(config);
      if (kernelsIn([short, long]) !== this.kernels) return null;
      input[12] = short.byteOffset;
      input[13] = long.byteOffset;
    }
    input.set(settingsOf(config, this.bars.barCount), SETTINGS_AT);
    this.#entry.hold(entry);
    this.#exit.hold(exit);
    this.#facts.fill(0);
    this.kernels.runFacts(input.byteOffset, this.#facts.byteOffset);
    return measuresOf(this.#facts, this.#dayCount);
  }

  /** Hands all room back. */
  release(): void {
    this.#atr.release();
    ColumnPool.beside(this.bars.close).give([this.room]);
  }
}

/** Room for the bits of a rule; those of the latest run often serve the next one too. */
class RuleRoom {
  readonly byteOffset: number;
  readonly #words: Mask;
  #held: Mask | null = null;

  constructor({ buffer, byteOffset }: Float64Array, barCount: number) {
    this.byteOffset = byteOffset;
    this.#words = new Uint32Array(buffer, byteOffset, wordCount(barCount));
  }

  hold(mask: Mask): void {
    if (mask === this.#held) return;
    this.#words.set(mask);
    this.#held = mask;
  }
}

/** Doubles of room for every part. */
function lengthsOf(bars: BarSeries) {
  const { barCount } = bars;
  const halves = (count: number) => (count + 1) >>> 1; // two 32-bit integers in the room of a double
  return {
    input: INPUTS,
    facts: FACTS,
    entry: halves(wordCount(barCount)),
    exit: halves(wordCount(barCount)),
    days: halves(dayEnds(bars).length),
    returns: barCount + 1,
    ranges: barCount,
    positions: POSITION * POSITIONS_MAX,
    lossBars: halves(barCount),
  };
}

/** In the order of RunInput. Limits beyond the last bar are all the same, and so they fit in 32 bits. */
function settingsOf(config: ExecutionConfig, barCount: number): number[] {
  const bars = (limit: number): number => Math.min(limit, barCount + 1);
  const floor = floorAmount(config);
  return [
    config.initial_balance,
    floor,
    config.position_size_calc === 'v1' ? 0 : floor,
    config.min_trade_amount,
    config.max_risk_per_trade,
    config.max_units_per_trade,
    config.max_trade_amount,
    config.max_open_positions,
    config.max_trades_per_day,
    config.stop_loss_calculation === 'fixed' ? config.fixed_stop_pct : 0,
    config.atr_volatility_factor,
    config.atr_short_weight,
    config.atr_long_weight,
    config.atr_cap_multiplier ?? 0,
    config.reward_factor,
    config.slippage_pct,
    config.fee_pct,
    bars(barLimit(config.hold_limit_bars)),
    bars(barLimit(config.exit_on_loss_after_bars)),
    bars(barLimit(config.exit_on_profit_after_bars)),
    config.profit_threshold_pct,
    bars(config.cooldown_short_loss_limit),
    bars(config.cooldown_short_window_bars),
    bars(config.cooldown_long_loss_limit),
    bars(config.cooldown_long_window_bars),
  ];
}

/** In the order of CurveFacts, exposed bars and TradeSums. */
const measuresOf = (facts: Float64Array, dayCount: number): RunMeasures => ({
  equity: {
    meanReturn: facts[0],
    squaredDeviationSum: facts[1],
    squaredLossSum: facts[2],
    maxDrawdown: facts[3],
    maxDrawdownBars: facts[4],
    dayCount,
    dailyReturnSum: facts[5],
    dailyLossSum: facts[6],
  },
  endingBalance: facts[7],
  exposedBars: facts[8],
  trades: {
    count: facts[9],
    winCount: facts[10],
    profitLossSum: facts[11],
    winSum: facts[12],
    lossSum: facts[13],
    maxConsecutiveWins: facts[14],
    maxConsecutiveLosses: facts[15],
    barsHeldSum: facts[16],
    feeSum: facts[17],
    slippageSum: facts[18],
  },
});

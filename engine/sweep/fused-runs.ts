import {
  checkConfig,
  dependsOnEntry,
  type ExecutionConfig,
  fullConfig,
  fundingBars,
  fundingRate,
  hasKnownExit,
  hasSettledFunding,
  SCALE_OUT_PAIRS_MAX,
  SCHEDULE_PAIRS_MAX,
  type SimulationInput,
} from '../execution/index.js';
import type { RunMeasures } from '../metrics/index.js';
import { ColumnPool } from '../series/column-pool.js';
import { type BarSeries, countUpTo, createMask, dayEnds, type Mask, wordCount } from '../series/index.js';
import { type Kernels, kernelsIn } from '../simd/kernels.js';
import { AtrBeside } from './atr-beside.js';
import { FinerBeside } from './finer-beside.js';
import { entriesMax, isCovered, POSITIONS_MAX, type ReadSetting, readSettings } from './fused-support.js';
import {
  asDouble,
  curveFacts,
  ENTRY_DOUBLES,
  ORDER_DOUBLES,
  POSITION_DOUBLES,
  runInput,
  tradeSums,
} from './run-layout.js';
import { VolatilityBeside } from './volatility-beside.js';

/** The rules of a run, see `SimulationInput`. */
export type RunMasks = Pick<SimulationInput, 'entry' | 'exit' | 'shortEntry' | 'shortExit'>;

/**
 * Runs that keep only their figures, simulated and measured in one WebAssembly call. The figures
 * equal those of `simulate` and the metrics in every bit. Bars, rules, settings and answers lie in
 * one memory, so a call passes only two addresses.
 */
export class FusedRuns {
  readonly #input: Float64Array;
  readonly #facts: Float64Array;
  readonly #entry: RuleRoom;
  readonly #exit: RuleRoom;
  readonly #shortEntry: RuleRoom;
  readonly #shortExit: RuleRoom;
  readonly #nowhere: Mask;
  /** Pairs of a target schedule, and of the parts to sell on the way, one after the other. */
  readonly #schedule: Float64Array;
  readonly #scaleOut: Float64Array;
  readonly #entries: Float64Array;
  readonly #exits = new Numbers();
  readonly #configs = new Numbers();
  /** Settings of the latest run, which the next mostly shares. */
  #settings: RunSettings | null = null;
  readonly #atr: AtrBeside;
  readonly #volatility: VolatilityBeside;
  readonly #finer: FinerBeside;
  readonly #dayCount: number;
  /** Returns of the latest run by UTC day, valid until the next. */
  readonly dayReturns: Float64Array;

  /** Null when the kernels cannot be used, or no bar is tradable. */
  static over(bars: BarSeries, first: number): FusedRuns | null {
    const { barCount, time, open, high, low, close, volume } = bars;
    const columns = [time, open, high, low, close, volume];
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
    const { barCount, time, open, high, low, close, volume } = bars;
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
    this.#shortEntry = new RuleRoom(take('shortEntry'), barCount);
    this.#shortExit = new RuleRoom(take('shortExit'), barCount);
    this.#nowhere = createMask(barCount);
    this.#schedule = take('schedule');
    this.#scaleOut = take('scaleOut');
    const settled = take('settled');
    settled.set(settledRates(bars));
    this.#entries = aligned(take('entries')).fill(0);
    this.#atr = new AtrBeside(bars);
    this.#volatility = new VolatilityBeside(bars);
    this.#finer = new FinerBeside(bars);
    const ends = dayEnds(bars);
    const firstDay = countUpTo(ends, first);
    this.#dayCount = ends.length - firstDay;
    const days = take('days').byteOffset;
    this.dayReturns = take('dayReturns').subarray(0, this.#dayCount);
    new Int32Array(room.buffer, days, ends.length).set(ends);
    const dayCloses = take('dayCloses');
    for (const [day, end] of ends.entries()) dayCloses[day] = close[end - 1];
    this.#place({
      barCount,
      intervalMs: bars.intervalMs,
      first,
      firstDay,
      dayCount: ends.length,
      dayEnds: days,
      dayCloses: dayCloses.byteOffset,
      time: time.byteOffset,
      open: open.byteOffset,
      high: high.byteOffset,
      low: low.byteOffset,
      close: close.byteOffset,
      volume: volume.byteOffset,
      shortAtr: 0, // stays 0 while stops are fixed
      longAtr: 0,
      entry: this.#entry.byteOffset,
      exit: this.#exit.byteOffset,
      shortEntry: this.#shortEntry.byteOffset,
      shortExit: this.#shortExit.byteOffset,
      volatility: 0, // stays 0 while no size is read from it
      schedule: this.#schedule.byteOffset,
      scheduleCount: 0,
      scaleOut: this.#scaleOut.byteOffset,
      scaleOutCount: 0,
      hasSettled: Number(hasSettledFunding(bars)),
      settled: settled.byteOffset,
      settledCount: settled.length / 2,
      finer: 0, // set by each run
      entries: 0, // set by the settings of each run
      entryCount: entriesOf(barCount),
      oldestEntry: 1,
      places: take('places').fill(0).byteOffset,
      placeMask: placesOf(barCount) - 1,
      ...{ hasKnownSums: 0, longExitId: 0, shortExitId: 0, settingsId: 0 },
      returns: take('returns').byteOffset,
      stretches: take('stretches').byteOffset,
      dayReturns: this.dayReturns.byteOffset,
      positions: take('positions').byteOffset,
      orders: take('orders').byteOffset,
      lossBars: take('lossBars').byteOffset,
    });
  }

  /**
   * @param detail finer bars, read by `detail_interval` only
   * @returns null where the settings are not covered, see `fused-support.ts`
   * @throws EngineError when they are not valid
   */
  run(
    { entry, exit, shortEntry, shortExit }: RunMasks,
    config: ExecutionConfig,
    detail?: BarSeries,
  ): RunMeasures | null {
    checkConfig(config);
    if (!isCovered(config, this.bars.barCount)) return null;
    const settings = settingsOf(config);
    const { readsAtr, readsVolatility, readsFiner } = settings;
    const read: Float64Array[] = [];
    if (readsAtr) {
      const { short, long } = this.#atr.columns(config);
      this.#input[runInput.at.shortAtr] = short.byteOffset;
      this.#input[runInput.at.longAtr] = long.byteOffset;
      read.push(short, long);
    }
    if (readsVolatility) {
      const column = this.#volatility.column(config, shortEntry === undefined ? [entry] : [entry, shortEntry]);
      this.#input[runInput.at.volatility] = column.byteOffset;
      read.push(column);
    }
    const finer = readsFiner && detail !== undefined ? this.#finer.of(detail) : null;
    if (finer !== null) read.push(finer.room);
    if (read.length > 0 && kernelsIn(read) !== this.kernels) return null;
    if (settings !== this.#settings) this.#set(settings, config);
    this.#entry.hold(entry);
    this.#exit.hold(exit);
    this.#shortEntry.hold(shortEntry ?? this.#nowhere);
    this.#shortExit.hold(shortExit ?? this.#nowhere);
    this.#input[runInput.at.longExitId] = this.#exits.of(exit);
    this.#input[runInput.at.shortExitId] = -this.#exits.of(shortExit ?? this.#nowhere);
    this.#input[runInput.at.finer] = finer?.room.byteOffset ?? 0;
    this.#facts.fill(0);
    this.dayReturns.fill(0);
    this.kernels.runFacts(this.#input.byteOffset, this.#facts.byteOffset, finer?.copy ?? null);
    return measures(this.#facts, this.#dayCount);
  }

  #set(settings: RunSettings, config: ExecutionConfig): void {
    const { doubles, schedule, scaleOut } = settings;
    this.#input.set(doubles, runInput.at[readSettings[0]]);
    if (schedule.length > 0) this.#schedule.set(schedule);
    if (scaleOut.length > 0) this.#scaleOut.set(scaleOut);
    this.#input[runInput.at.scheduleCount] = schedule.length / 2;
    this.#input[runInput.at.scaleOutCount] = scaleOut.length / 2;
    this.#input[runInput.at.entries] = hasKnownExit(config) ? this.#entries.byteOffset : 0;
    this.#input[runInput.at.hasKnownSums] = Number(dependsOnEntry({ bars: this.bars, config }));
    this.#input[runInput.at.settingsId] = this.#configs.of(settings);
    this.#settings = settings;
  }

  #place(values: Readonly<Record<Exclude<keyof typeof runInput.at, ReadSetting>, number>>): void {
    for (const [name, value] of Object.entries(values)) this.#input[runInput.at[name as keyof typeof values]] = value;
  }

  /** Gives all room back to the pool. */
  release(): void {
    this.#atr.release();
    this.#volatility.release();
    this.#finer.release();
    ColumnPool.beside(this.bars.close).give([this.room]);
  }
}

/**
 * Room for the bits of a rule. The next run often has the same rule, whose bits then stay in place.
 */
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

/** Numbers objects from 1 on; a 32-bit integer is enough for those of all runs of a sweep. */
class Numbers {
  readonly #known = new WeakMap<object, number>();
  #latest = 0;

  of(one: object): number {
    let number = this.#known.get(one);
    if (number === undefined) {
      number = ++this.#latest;
      this.#known.set(one, number);
    }
    return number;
  }
}

/** The part of some room that begins at a line of the cache, as each known entry then does. */
function aligned(room: Float64Array): Float64Array {
  const bytes = ENTRY_DOUBLES * room.BYTES_PER_ELEMENT;
  return room.subarray(((bytes - (room.byteOffset % bytes)) % bytes) / room.BYTES_PER_ELEMENT);
}

/**
 * Known entries that runs over so many bars keep: as many as lie in a cache, since a run waits for
 * each. Their places are more, so that few entries meet in one.
 */
const entriesOf = (barCount: number): number => Math.min(barCount, 2 ** 15);
const placesOf = (barCount: number): number => Math.min(2 ** Math.ceil(Math.log2(2 * barCount)), 2 ** 17);

/** Length of every part, in doubles. */
function lengthsOf(bars: BarSeries) {
  const { barCount } = bars;
  // Two 32-bit integers in the room of a double.
  const halves = (count: number) => (count + 1) >>> 1;
  return {
    input: runInput.names.length,
    facts: curveFacts.names.length + tradeSums.names.length,
    entry: halves(wordCount(barCount)),
    exit: halves(wordCount(barCount)),
    shortEntry: halves(wordCount(barCount)),
    shortExit: halves(wordCount(barCount)),
    schedule: 2 * SCHEDULE_PAIRS_MAX,
    scaleOut: 2 * SCALE_OUT_PAIRS_MAX,
    settled: 2 * fundingBars(bars, { funding: true }).length,
    days: halves(dayEnds(bars).length),
    dayCloses: dayEnds(bars).length,
    dayReturns: dayEnds(bars).length,
    returns: barCount + 1,
    stretches: 3 * ((barCount + 1) >>> 1),
    entries: ENTRY_DOUBLES * (entriesOf(barCount) + 2), // one for sums that no other run needs, and one to align
    places: halves(placesOf(barCount)),
    positions: POSITION_DOUBLES * Math.min(POSITIONS_MAX, entriesMax(barCount)),
    orders: 2 * ORDER_DOUBLES,
    lossBars: halves(barCount),
  };
}

/** Pairs of a bar and the rate settled in it, one after the other. */
const settledRates = (bars: BarSeries): number[] =>
  Array.from(fundingBars(bars, { funding: true }), (bar) => [bar, fundingRate(bars, bar, { funding: true })]).flat();

/** What the run takes of a config. */
interface RunSettings {
  readonly readsAtr: boolean;
  readonly readsVolatility: boolean;
  readonly readsFiner: boolean;
  /** The settings that the run reads, in the order of its structure. */
  readonly doubles: Float64Array;
  readonly schedule: readonly number[];
  readonly scaleOut: readonly number[];
}

/** Cached for frozen configs, because a sweep uses them again. */
const settingsByConfig = new WeakMap<ExecutionConfig, RunSettings>();

function settingsOf(config: ExecutionConfig): RunSettings {
  let settings = settingsByConfig.get(config);
  if (settings === undefined) {
    const full = fullConfig(config);
    const isScaled = full.enable_volatility_adjustment && full.volatility_mode !== 'off';
    settings = {
      readsAtr: full.stop_loss_calculation === 'dynamic_atr' || full.entry_offset_atr !== null,
      readsVolatility: isScaled || full.position_sizing === 'volatility_target',
      readsFiner: full.detail_interval !== null,
      doubles: Float64Array.from(readSettings, (name) => asDouble(name, full[name])),
      schedule: full.target_schedule?.flat() ?? [],
      scaleOut: full.scale_out?.flat() ?? [],
    };
    if (Object.isFrozen(config)) settingsByConfig.set(config, settings);
  }
  return settings;
}

function measures(facts: Float64Array, dayCount: number): RunMeasures {
  const curve = curveFacts.at;
  const trades = tradeSums.at;
  const sums = facts.subarray(curveFacts.names.length);
  return {
    equity: {
      meanReturn: facts[curve.meanReturn],
      squaredDeviationSum: facts[curve.squaredDeviationSum],
      squaredLossSum: facts[curve.squaredLossSum],
      maxDrawdown: facts[curve.maxDrawdown],
      maxDrawdownBars: facts[curve.maxDrawdownBars],
      dayCount,
      dailyReturnSum: facts[curve.dailyReturnSum],
      dailyLossSum: facts[curve.dailyLossSum],
    },
    endingBalance: facts[curve.endingValue],
    exposedBars: facts[curve.exposedBars],
    trades: {
      count: sums[trades.count],
      winCount: sums[trades.winCount],
      profitLossSum: sums[trades.profitLossSum],
      winSum: sums[trades.winSum],
      lossSum: sums[trades.lossSum],
      maxConsecutiveWins: sums[trades.maxConsecutiveWins],
      maxConsecutiveLosses: sums[trades.maxConsecutiveLosses],
      barsHeldSum: sums[trades.barsHeldSum],
      feeSum: sums[trades.feeSum],
      slippageSum: sums[trades.slippageSum],
    },
  };
}

// Sides, margin, orders, moving levels, sizes and guards as one plain loop over the bars. It shares
// no code with the engine, and is never fast. The account is a list of events to which nothing but
// new events is added: cash, what is left of a position, losses and the day's entries are read from
// the list whenever they are asked for, and levels from the bars since the entry.
import {
  REFERENCE_DEFAULTS,
  type RefBar,
  referenceAtr,
  referenceCooldownTiers,
  referenceEffectiveAtr,
  referenceFloorAmount,
  referenceMaxHoldBars,
  referenceMetrics,
  referencePeriods,
  referenceVolatility,
  referenceVolatilityScale,
} from './execution.js';
import { visibleCoarseBars } from './timeframes.js';

export interface RefSidesRequest {
  intervalMs: number;
  bars: RefBar[];
  /** Whether the bars have a column of settled funding, be it empty. */
  hasFunding: boolean;
  first: number;
  long: RefRules;
  /** Null for a definition that is long only. */
  short: RefRules | null;
  /** Finer bars; null where there are none. */
  detail: RefBar[] | null;
  /** What the caller gave; the rest comes from the published defaults. */
  config: Record<string, unknown>;
}

/** Whether a rule is true at the close of each bar. */
interface RefRules {
  entry: boolean[];
  exit: boolean[];
}

export interface RefSidesTrade {
  side: 'long' | 'short';
  entry_bar_index: number;
  exit_bar_index: number;
  entry_price: number;
  exit_price: number;
  position_size: number;
  stop_loss_price: number | null;
  take_profit_price: number | null;
  initial_stop_price: number | null;
  liquidation_price: number | null;
  /** Null for a position that was paid in full. */
  margin: number | null;
  return_on_margin: number | null;
  profit_loss: number;
  profit_loss_pct: number;
  entry_fee: number;
  exit_fee: number;
  fees: number;
  slippage_cost: number;
  funding_paid: number;
  borrow_paid: number;
  beginning_balance: number;
  ending_balance: number;
  bars_held: number;
  exit_reason: string;
  exits: { bar: number; price: number; size: number; reason: string }[];
}

export interface RefSidesResult {
  trades: RefSidesTrade[];
  denied_entries: { bar: number; reason: string; side: 'long' | 'short' }[];
  /** One value per tradable bar, as is the cash. */
  equity: number[];
  cash: number[];
  exposed_bars: number;
  orders: { placed: number; expired: number };
  detail: { resolved: number; changed: number; unresolved: number };
  metrics: Record<string, number | null>;
  /** How often the rarer branches of the rules were taken. */
  notes: Record<string, number>;
}

/** The settings of the page with their defaults, copied here like those of the older page. */
export const SIDES_DEFAULTS: Record<string, unknown> = {
  opposite_entry: 'deny',
  leverage: 1,
  maintenance_margin: 0.005,
  borrow_rate: 0,
  max_gross_exposure: null,
  stop_order: true,
  trailing_distance: null,
  trailing_start: 0,
  break_even_at: null,
  break_even_offset_pct: 0,
  target_calculation: 'reward',
  fixed_target_pct: 0.04,
  target_schedule: null,
  target_order: 'market',
  maker_fee_pct: null,
  scale_out: null,
  entry_order: 'market',
  entry_offset_pct: null,
  entry_offset_atr: null,
  entry_valid_bars: 1,
  position_sizing: 'risk',
  trade_amount: 1000,
  trade_share: 0.1,
  impact_coefficient: 0,
  detail_interval: null,
  guard_max_drawdown: null,
  guard_daily_loss: null,
  guard_group_stop: null,
  guard_pause_bars: 24,
};

const DETAIL_MS: Record<string, number> = { '5m': 300_000, '15m': 900_000, '30m': 1_800_000, '1h': 3_600_000 };
const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;
/** Amounts up to this are dust of rounding. */
const DUST = 0.000001;
/** No fill slips by more. */
const SLIP_MAX = 0.5;

/** Days since the epoch, in UTC. */
const dayOf = ({ t }: RefBar): number => Math.floor(t / DAY_MS);

/** +1 long, -1 short: a short is a long position in the negated price. */
type Sign = 1 | -1;

/** What the entry fixed. Nothing of it changes. */
interface Position {
  sign: Sign;
  bar: number;
  /** The entry filled inside its bar, not at its open. */
  isInside: boolean;
  /** Price before slippage and impact. */
  raw: number;
  price: number;
  size: number;
  fee: number;
  /** Null for a long position that is paid in full. */
  margin: number | null;
  liquidation: number | null;
  /** Of the stop. */
  distance: number;
}

type Event =
  | { kind: 'entry'; bar: number; cash: number; position: Position }
  | { kind: 'funding' | 'borrowing'; bar: number; cash: number; borne: number; position: Position }
  | {
      kind: 'exit';
      bar: number;
      cash: number;
      position: Position;
      size: number;
      raw: number;
      price: number;
      fee: number;
      reason: string;
      /** Nothing is left after it. */
      isLast: boolean;
      isAtOpen: boolean;
    };
type ExitEvent = Extract<Event, { kind: 'exit' }>;

interface Order {
  sign: Sign;
  /** Bar at whose close it was placed. */
  placed: number;
  level: number;
  lastBar: number;
}

// ----------------------------------------------------------------------------------- levels, touches

/** Prices times the sign of a side: higher is better for either. */
interface SignedBar {
  open: number;
  best: number;
  worst: number;
}

const signedBar = (bar: RefBar, sign: Sign): SignedBar =>
  sign > 0 ? { open: bar.o, best: bar.h, worst: bar.l } : { open: -bar.o, best: -bar.l, worst: -bar.h };

interface Level {
  name: 'stop' | 'liquidation' | 'target' | 'scale-out';
  /** Times the sign of the side. */
  at: number;
  /** The pair of `scale_out` that a scale-out stands for. */
  pair: number;
}

/** What can close a position in a bar, in prices times its sign. */
interface Levels {
  losing: Level[];
  /** Nearest first; a scale-out before the target at the same level. */
  gaining: Level[];
  /** Targets and scale-outs are limit orders: a touch is not enough. */
  isLimit: boolean;
  /** The pair of `scale_out` that sells all that is left, or -1. */
  lastPair: number;
}

interface Hit {
  level: Level;
  /** Price times the sign. */
  at: number;
}

const isReached = ({ name, at }: Level, { best, worst }: SignedBar, isLimit: boolean): boolean => {
  if (name === 'stop' || name === 'liquidation') return worst <= at;
  return isLimit ? best > at : best >= at;
};

const isClosing = ({ level }: Hit, { lastPair }: Levels): boolean =>
  level.name !== 'scale-out' || level.pair === lastPair;

/** Hits in order; what comes after the one that closes the position does not happen. */
function untilClosed(hits: Hit[], levels: Levels): Hit[] {
  const closing = hits.findIndex((hit) => isClosing(hit, levels));
  return closing < 0 ? hits : hits.slice(0, closing + 1);
}

/** The losing level that is reached first, the liquidation price where both are one. */
function nearestLosing({ losing }: Levels): Level | null {
  const [one, other] = losing;
  if (one === undefined) return null;
  if (other === undefined) return one;
  if (one.at === other.at) return one.name === 'liquidation' ? one : other;
  return one.at > other.at ? one : other;
}

/** What happens at the open of a bar. */
function hitsAtOpen(levels: Levels, bar: SignedBar): Hit[] {
  for (const name of ['liquidation', 'stop']) {
    const level = levels.losing.find((one) => one.name === name);
    if (level !== undefined && bar.open <= level.at) return [{ level, at: bar.open }];
  }
  const reached = levels.gaining.filter(({ at }) => (levels.isLimit ? bar.open > at : bar.open >= at));
  return untilClosed(
    reached.map((level) => ({ level, at: bar.open })),
    levels,
  );
}

/** What happens in a bar that a position enters open. */
function hitsOfBar(levels: Levels, bar: SignedBar): Hit[] {
  const atOpen = hitsAtOpen(levels, bar);
  if (atOpen.some((hit) => isClosing(hit, levels))) return atOpen;
  const losing = nearestLosing(levels);
  if (losing !== null && bar.worst <= losing.at) return [...atOpen, { level: losing, at: losing.at }];
  const others = levels.gaining.filter(
    (level) => !atOpen.some((hit) => hit.level === level) && isReached(level, bar, levels.isLimit),
  );
  return untilClosed([...atOpen, ...others.map((level) => ({ level, at: level.at }))], levels);
}

/** What happens in a bar inside which the entry filled: the worst that its range allows. */
function hitsOfEntryInside(levels: Levels, bar: SignedBar): Hit[] {
  const losing = nearestLosing(levels);
  return losing !== null && bar.worst <= losing.at ? [{ level: losing, at: losing.at }] : [];
}

const without = (levels: Levels, hits: Hit[]): Levels => ({
  ...levels,
  gaining: levels.gaining.filter((level) => !hits.some((hit) => hit.level === level)),
});

/** The finer bars one after the other, from the one inside which the entry filled, if any. */
function walk(levels: Levels, finer: SignedBar[], entryAt: number | null): Hit[] {
  const hits: Hit[] = [];
  for (const [k, bar] of finer.entries()) {
    if (entryAt !== null && k < entryAt) continue;
    const rest = without(levels, hits);
    hits.push(...(k === entryAt ? hitsOfEntryInside(rest, bar) : hitsOfBar(rest, bar)));
    if (hits.some((hit) => isClosing(hit, levels))) break;
  }
  return hits;
}

/** Whether the finer bars together reach all levels that the bar reached. */
function reachAlike(levels: Levels, bar: SignedBar, finer: SignedBar[]): boolean {
  const together = {
    open: finer[0]!.open,
    best: Math.max(...finer.map(({ best }) => best)),
    worst: Math.min(...finer.map(({ worst }) => worst)),
  };
  return [...levels.losing, ...levels.gaining].every(
    (level) => !isReached(level, bar, levels.isLimit) || isReached(level, together, levels.isLimit),
  );
}

/** Whether two courses of a bar come out alike; a liquidation does wherever its level is passed. */
const isSameOutcome = (a: Hit[], b: Hit[]): boolean =>
  a.length === b.length &&
  a.every(({ level, at }, i) => level === b[i]!.level && (level.name === 'liquidation' || at === b[i]!.at));

// -------------------------------------------------------------------------------------- simulation

/** What the members of a portfolio share. */
interface RefAccount {
  initialBalance: number;
  floorAmount: number;
  cash(): number;
  /** At the opens of the time at hand, where a member has no bar at its last close. */
  valueAtOpen(): number;
  isPaused(): boolean;
  /** Whether the portfolio has as many positions as it may. */
  isFull(): boolean;
  /** What the portfolio may still buy, at the opens. */
  room(): number;
  /** Of all members, in order. */
  trades: { ending_balance: number }[];
  /** What came in and went out so far. */
  flows: number[];
}

/** A member as it goes through the steps of a time, each for its bar i. */
function memberOf(request: RefSidesRequest, weight: number, account: RefAccount) {
  const { intervalMs, bars, hasFunding, long, short } = request;
  const config: Record<string, unknown> = { ...REFERENCE_DEFAULTS, ...SIDES_DEFAULTS, ...request.config };
  const num = (name: string) => config[name] as number;
  const orNull = (name: string) => config[name] as number | null;
  const pairs = (name: string) => (config[name] ?? []) as [number, number][];
  const tiers = referenceCooldownTiers(request.config, intervalMs);
  const { initialBalance, floorAmount } = account;
  const leverage = num('leverage');
  const makerFee = orNull('maker_fee_pct') ?? num('fee_pct');
  const scaleOut = pairs('scale_out');
  const isScaleOutWhole = Math.abs(scaleOut.reduce((sum, [, part]) => sum + part, 0) - 1) <= 1e-9;
  const maxHoldBars = referenceMaxHoldBars(config, intervalMs);
  const rulesOf = (sign: Sign): RefRules | null => (sign > 0 ? long : short);
  const signs: Sign[] = [1, -1];

  const events: Event[] = [];
  const trades: RefSidesTrade[] = [];
  const denied: RefSidesResult['denied_entries'] = [];
  const orders = { placed: 0, expired: 0 };
  const detail = { resolved: 0, changed: 0, unresolved: 0 };
  const notes: Record<string, number> = {};
  let working: Order[] = [];
  /** What the last close decided for this open. */
  let scheduled = new Map<Position, string>();
  let wanted: { sign: Sign; denial: string | null }[] = [];

  function record(event: Event): void {
    events.push(event);
    account.flows.push(event.cash);
  }

  const deny = (bar: number, sign: Sign, reason: string) =>
    denied.push({ bar, reason, side: sign > 0 ? 'long' : 'short' });

  function note(what: string, isSo = true): void {
    if (isSo) notes[what] = (notes[what] ?? 0) + 1;
  }

  // ------------------------------------------------------------ what the list of events says

  const { cash } = account;
  const exitsOf = (position: Position) =>
    events.filter((event): event is ExitEvent => event.kind === 'exit' && event.position === position);
  const leftOf = (position: Position): number => {
    const exits = exitsOf(position);
    if (exits.some(({ isLast }) => isLast)) return 0;
    return exits.reduce((left, { size }) => left - size, position.size);
  };
  const openPositions = () =>
    events.flatMap((event) => (event.kind === 'entry' && leftOf(event.position) > 0 ? [event.position] : []));
  const charges = (position: Position, kind: 'funding' | 'borrowing') =>
    events.reduce((sum, event) => (event.position === position && event.kind === kind ? sum - event.cash : sum), 0);
  const entriesOfDay = (i: number) =>
    events.filter(({ kind, bar }) => kind === 'entry' && dayOf(bars[bar]!) === dayOf(bars[i]!)).length;

  /** What its margin has borne of the charges on what is left, as no cash paid it; it cannot be worth less. */
  function borneBy(position: Position): number {
    let borne = 0;
    let left = position.size;
    for (const event of events) {
      if (event.position !== position) continue;
      if (event.kind === 'funding' || event.kind === 'borrowing') borne = Math.max(0, borne + event.borne);
      if (event.kind !== 'exit') continue;
      borne -= borne * (event.size / left);
      left -= event.size;
    }
    return borne;
  }

  function worthAt(position: Position, price: number): number {
    const left = leftOf(position);
    if (position.margin === null) return left * price;
    const margin = (position.margin * left) / position.size;
    return Math.max(borneBy(position), margin + position.sign * left * (price - position.price));
  }
  const worthsAt = (price: number) => openPositions().map((position) => worthAt(position, price));

  /** Through which bar losses block entries. */
  function blockedThrough(): number {
    const losses = trades.filter(({ profit_loss }) => profit_loss < 0).map((trade) => trade.exit_bar_index);
    let through = -1;
    for (const [k, bar] of losses.entries()) {
      for (const { limit, window } of tiers) {
        const recent = losses.slice(0, k + 1).filter((other) => other > bar - window).length;
        if (limit > 0 && window > 0 && recent >= limit) through = Math.max(through, bar + window);
      }
    }
    return through;
  }

  // ------------------------------------------------------------ levels of a position in bar i

  /** The first level of the stop, and the one in force at the open of bar i, times the sign. */
  function stopsAt({ sign, bar, isInside, price, distance }: Position, i: number): [first: number, now: number] {
    const entry = sign * price;
    const initial = entry - distance;
    const trailing = orNull('trailing_distance');
    const breakEven = orNull('break_even_at');
    let stop = initial;
    let best = -Infinity;
    for (let j = isInside ? bar + 1 : bar; j < i; j++) {
      best = Math.max(best, signedBar(bars[j]!, sign).best);
      const gain = best - entry;
      if (trailing !== null && gain >= num('trailing_start') * distance) {
        stop = Math.max(stop, best - trailing * distance);
      }
      if (breakEven !== null && gain >= breakEven * distance) {
        stop = Math.max(stop, sign * (price * (1 + sign * num('break_even_offset_pct'))));
      }
    }
    return [initial, stop];
  }

  /** The target in force in bar i, times the sign. */
  function targetAt({ sign, bar, price, distance }: Position, i: number): number | null {
    const at = (pct: number) => sign * (price * (1 + sign * pct));
    switch (config.target_calculation) {
      case 'none':
        return null;
      case 'fixed':
        return at(num('fixed_target_pct'));
      case 'schedule': {
        const past = pairs('target_schedule').filter(([from]) => from <= i - bar);
        return at(past[past.length - 1]![1]);
      }
      default:
        return sign * price + distance * num('reward_factor');
    }
  }

  function levelsAt(position: Position, i: number): Levels {
    const { sign, price, distance, liquidation } = position;
    const losing: Level[] = [];
    if (liquidation !== null) losing.push({ name: 'liquidation', at: sign * liquidation, pair: -1 });
    if (config.stop_order === true) losing.push({ name: 'stop', at: stopsAt(position, i)[1], pair: -1 });
    const taken = exitsOf(position).filter(({ reason }) => reason === 'SCALE_OUT').length;
    const gaining: Level[] = scaleOut
      .map(([gain], pair): Level => ({ name: 'scale-out', at: sign * price + gain * distance, pair }))
      .slice(taken);
    const target = targetAt(position, i);
    if (target !== null) gaining.push({ name: 'target', at: target, pair: -1 });
    gaining.sort((a, b) => a.at - b.at); // keeps the order of equals
    return {
      losing,
      gaining,
      isLimit: config.target_order === 'limit',
      lastPair: isScaleOutWhole ? scaleOut.length - 1 : -1,
    };
  }

  // --------------------------------------------------------------------------- exits

  /** Fraction by which a market fill of a size slips, impact included. */
  function slipOf(size: number, volume: number): number {
    const share = volume === 0 ? 1 : size / volume;
    const slip = num('slippage_pct') + num('impact_coefficient') * Math.sqrt(share);
    note('impact on no volume', volume === 0 && num('impact_coefficient') > 0);
    note('impact cut at its maximum', slip > SLIP_MAX);
    return Math.min(SLIP_MAX, slip);
  }

  interface Sale {
    raw: number;
    reason: string;
    size?: number;
    isLimit?: boolean;
    isAtOpen?: boolean;
  }

  function sell(i: number, position: Position, sale: Sale): void {
    const { raw, reason, isLimit = false, isAtOpen = false } = sale;
    const { sign, price: entry } = position;
    const left = leftOf(position);
    const size = sale.size ?? left;
    let price = raw;
    if (reason === 'LIQUIDATION') price = entry * (1 - sign / leverage);
    else if (!isLimit) price = raw * (1 - sign * slipOf(size, bars[i - 1]!.v));
    const fee = reason === 'LIQUIDATION' ? 0 : (isLimit ? makerFee : num('fee_pct')) * size * price;
    let proceeds = size * price - fee;
    if (position.margin !== null) {
      const margin = (position.margin * size) / position.size;
      const borne = borneBy(position) * (size / left);
      const rest = reason === 'LIQUIDATION' ? 0 : margin + sign * size * (price - entry) - fee;
      proceeds = Math.max(borne, rest, 0);
      note('carry that the margin bears at a liquidation', reason === 'LIQUIDATION' && borne > 0);
    }
    const isLast = sale.size === undefined;
    const shownRaw = reason === 'LIQUIDATION' ? price : raw;
    const exit = { bar: i, position, size, price, fee, reason, isLast, isAtOpen };
    record({ kind: 'exit', cash: proceeds, raw: shownRaw, ...exit });
    if (!isLast) return;
    const trade = tradeOf(position, i);
    trades.push(trade);
    account.trades.push(trade);
  }

  function tradeOf(position: Position, i: number): RefSidesTrade {
    const { sign, price, size, margin, liquidation } = position;
    const exits = exitsOf(position);
    const last = exits[exits.length - 1]!;
    const sumOf = (value: (exit: ExitEvent) => number) => exits.reduce((sum, exit) => sum + value(exit), 0);
    const funding = charges(position, 'funding');
    const borrowed = charges(position, 'borrowing');
    const gross =
      margin === null
        ? sumOf((exit) => exit.size * (exit.price - price) - exit.fee)
        : sumOf((exit) => exit.cash - (margin * exit.size) / size);
    const profit = gross - position.fee - funding - borrowed;
    const balance = account.trades[account.trades.length - 1]?.ending_balance ?? initialBalance;
    const hasStop = config.stop_order === true;
    const [initialStop, stop] = stopsAt(position, i).map((at) => sign * at) as [number, number];
    const target = targetAt(position, i);
    const exitFee = sumOf((exit) => exit.fee);
    return {
      side: sign > 0 ? 'long' : 'short',
      entry_bar_index: position.bar,
      exit_bar_index: i,
      entry_price: price,
      exit_price:
        exits.length === 1 ? last.price : sumOf((exit) => exit.size * exit.price) / sumOf((exit) => exit.size),
      position_size: size,
      stop_loss_price: hasStop ? stop : null,
      take_profit_price: target === null ? null : sign * target,
      initial_stop_price: hasStop ? initialStop : null,
      liquidation_price: liquidation,
      margin,
      return_on_margin: margin === null ? null : profit / margin,
      profit_loss: profit,
      profit_loss_pct: profit / (size * price),
      entry_fee: position.fee,
      exit_fee: exitFee,
      fees: position.fee + exitFee,
      slippage_cost: size * sign * (price - position.raw) + sumOf((exit) => exit.size * sign * (exit.raw - exit.price)),
      funding_paid: funding,
      borrow_paid: borrowed,
      beginning_balance: balance,
      ending_balance: balance + profit,
      bars_held: last.isAtOpen ? i - position.bar : i - position.bar + 1,
      exit_reason: last.reason,
      exits: exits.map((exit) => ({ bar: exit.bar, price: exit.price, size: exit.size, reason: exit.reason })),
    };
  }

  function carryOut(i: number, position: Position, hits: Hit[], levels: Levels): void {
    for (const hit of hits) {
      const { name, pair } = hit.level;
      note(hit.at === hit.level.at ? `${name} at its level` : `${name} at an open beyond it`);
      const raw = position.sign * hit.at;
      const { isLimit } = levels;
      const [initialStop, stop] = stopsAt(position, i);
      if (name === 'liquidation') sell(i, position, { raw, reason: 'LIQUIDATION' });
      else if (name === 'stop') sell(i, position, { raw, reason: stop === initialStop ? 'SL' : 'TRAIL' });
      else if (name === 'target') sell(i, position, { raw, reason: 'TP', isLimit });
      else if (pair === levels.lastPair) sell(i, position, { raw, reason: 'SCALE_OUT', isLimit });
      else sell(i, position, { raw, reason: 'SCALE_OUT', isLimit, size: scaleOut[pair]![1] * position.size });
    }
  }

  // -------------------------------------------------------------------- inside the bar

  /** The finer bars of bar i; null where one of them is missing. */
  function finerBars(i: number): RefBar[] | null {
    const stepMs = DETAIL_MS[config.detail_interval as string]!;
    const found: RefBar[] = [];
    for (let t = bars[i]!.t; t < bars[i]!.t + intervalMs; t += stepMs) {
      const bar = request.detail?.find((one) => one.t === t);
      if (bar === undefined) return null;
      found.push(bar);
    }
    return found;
  }

  function judge(
    i: number,
    position: Position,
    own: Hit[],
    levels: Levels,
    finer: RefBar[] | null,
    entryAt: number | null,
  ) {
    const { sign } = position;
    const signed = finer?.map((bar) => signedBar(bar, sign)) ?? null;
    if (signed === null || !reachAlike(levels, signedBar(bars[i]!, sign), signed)) {
      if (own.length > 0) detail.unresolved++;
      carryOut(i, position, own, levels);
      return;
    }
    const walked = walk(levels, signed, entryAt);
    if (own.length > 0 || walked.length > 0) detail.resolved++;
    if (!isSameOutcome(own, walked)) detail.changed++;
    carryOut(i, position, walked, levels);
  }

  function touch(i: number, position: Position): void {
    const levels = levelsAt(position, i);
    const bar = signedBar(bars[i]!, position.sign);
    const own = hitsOfBar(levels, bar);
    const reached = [...levels.losing, ...levels.gaining].filter((level) => isReached(level, bar, levels.isLimit));
    const isClosedAtOpen = hitsAtOpen(levels, bar).some((hit) => isClosing(hit, levels));
    if (config.detail_interval === null || reached.length < 2 || isClosedAtOpen) carryOut(i, position, own, levels);
    else judge(i, position, own, levels, finerBars(i), null);
  }

  /** @param entryAt finer bar inside which the entry filled; null where no finer bar says */
  function touchEntryInside(i: number, position: Position, entryAt: number | null): void {
    const levels = levelsAt(position, i);
    const own = hitsOfEntryInside(levels, signedBar(bars[i]!, position.sign));
    if (config.detail_interval === null) carryOut(i, position, own, levels);
    else judge(i, position, own, levels, entryAt === null ? null : finerBars(i), entryAt);
  }

  // -------------------------------------------------------------------------- entries

  const effectiveAtrAt = (d: number): number | null => {
    const known = bars.slice(0, d + 1);
    const period = num('atr_period');
    const daily = visibleCoarseBars(known, intervalMs, DAY_MS);
    return referenceEffectiveAtr(referenceAtr(known, period), referenceAtr(daily, period), config);
  };

  /** Size before caps; null while the volatility is undefined. */
  function wantedSize(d: number, value: number, price: number, distance: number): number | null {
    const known = bars.slice(0, d + 1);
    if (config.position_sizing === 'volatility_target') {
      const mode = config.volatility_mode as string;
      const periods = referencePeriods(config, intervalMs);
      const volatility = referenceVolatility(known, mode, num('volatility_window'), intervalMs, periods);
      if (volatility === null) return null;
      note('size without volatility', volatility === 0);
      return volatility === 0 ? Infinity : (value * num('target_volatility')) / volatility / price;
    }
    const scale = referenceVolatilityScale(known, intervalMs, config);
    if (scale === null) return null;
    if (config.position_sizing === 'fixed_amount') return (num('trade_amount') / price) * scale;
    if (config.position_sizing === 'equity_share') return ((num('trade_share') * value) / price) * scale;
    return ((value * num('max_risk_per_trade')) / distance) * scale;
  }

  /**
   * Gates, size and fill in bar i of what the close of bar d wanted.
   *
   * @param raw open, or level of an order that is reached inside
   * @returns the position, or the reason for which there is none
   */
  function enter(i: number, d: number, sign: Sign, raw: number, isInside: boolean): Position | string {
    const { o: open } = bars[i]!;
    if (account.valueAtOpen() < floorAmount) return 'min_balance';
    if (account.isPaused()) return 'guard';
    if (i <= blockedThrough()) return 'cooldown';
    const opposite = openPositions().filter((position) => position.sign !== sign);
    if (opposite.length > 0 && config.opposite_entry !== 'hedge') {
      if (config.opposite_entry === 'deny') return 'opposite_position';
      for (const position of opposite) sell(i, position, { raw: open, reason: 'OPPOSITE', isAtOpen: true });
      if (config.opposite_entry === 'close') return 'opposite_position';
      const reversed = enter(i, d, sign, raw, isInside);
      note('reversal denied after the sale', typeof reversed === 'string');
      note('reversal', typeof reversed !== 'string');
      return reversed;
    }
    const held = openPositions();
    if (held.length >= num('max_open_positions')) return 'max_positions';
    if (account.isFull()) return 'portfolio_positions';
    if (entriesOfDay(i) >= num('max_trades_per_day')) return 'daily_limit';

    const isLimit = config.entry_order === 'limit';
    const plain = isLimit ? raw : raw * (1 + sign * num('slippage_pct'));
    let distance = plain * num('fixed_stop_pct');
    if (config.stop_loss_calculation !== 'fixed') {
      const atr = effectiveAtrAt(d);
      if (atr === null) return 'atr_warmup';
      distance = atr * num('atr_volatility_factor');
    }
    if (!(distance > 0) || (sign > 0 && !(plain - distance > 0))) return 'invalid_stop';

    const value = weight * account.valueAtOpen();
    const wish = wantedSize(d, value, plain, distance);
    if (wish === null) return 'volatility_warmup';
    const spendable = config.position_size_calc === 'v1' ? cash() : cash() - floorAmount;
    if (spendable <= DUST) return 'insufficient_cash';
    const limit = orNull('max_gross_exposure');
    const own = limit === null ? Infinity : held.reduce((rest, one) => rest - leftOf(one) * open, limit * value);
    const room = Math.min(own, account.room());
    if (room <= DUST) return 'max_exposure';
    const feeRate = isLimit ? makerFee : num('fee_pct');
    const cost = (price: number) => price * (1 / leverage + (feeRate < 0 ? 0 : feeRate));
    const volume = bars[d]!.v;
    const share = orNull('max_volume_share');
    let size = Math.min(
      wish,
      num('max_units_per_trade'),
      share === null ? Infinity : share * volume,
      num('max_trade_amount') / plain,
      spendable / cost(plain),
      room / plain,
    );
    const price = isLimit ? raw : raw * (1 + sign * slipOf(size, volume));
    note('size cut for impact', size > spendable / cost(price));
    size = Math.min(size, spendable / cost(price));
    if (size * price < num('min_trade_amount') || size <= 0) return 'min_trade_amount';

    const fee = feeRate * size * price;
    const isPaidInFull = sign > 0 && leverage === 1;
    const maintenance = 1 - sign * num('maintenance_margin');
    const position: Position = {
      sign,
      bar: i,
      isInside,
      raw,
      price,
      size,
      fee,
      margin: isPaidInFull ? null : (size * price) / leverage,
      liquidation: isPaidInFull ? null : (price * (1 - sign / leverage)) / maintenance,
      distance,
    };
    record({ kind: 'entry', bar: i, cash: -((size * price) / leverage + fee), position });
    return position;
  }

  /** Price at which an order fills in a bar: at its open, inside it, or not (null). */
  function fillOf({ sign, level }: Order, bar: RefBar): { raw: number; isInside: boolean } | null {
    const { open, best, worst } = signedBar(bar, sign);
    const at = sign * level;
    const isLimit = config.entry_order === 'limit';
    if (isLimit ? open <= at : open >= at) return { raw: bar.o, isInside: false };
    if (isLimit ? worst < at : best >= at) return { raw: level, isInside: true };
    return null;
  }

  /** Working orders that fill at the open of bar i, older first, each with what fills it. */
  function ordersAtOpen(i: number): { order: Order; fill: () => void }[] {
    return working.flatMap((order) => {
      const fill = fillOf(order, bars[i]!);
      if (fill === null || fill.isInside) return [];
      const act = () => {
        working = working.filter((other) => other !== order);
        const entered = enter(i, order.placed, order.sign, fill.raw, false);
        note(`${config.entry_order} order at the open`, typeof entered !== 'string');
        if (typeof entered === 'string') deny(i, order.sign, entered);
      };
      return [{ order, fill: act }];
    });
  }

  /**
   * Working orders that fill inside bar i, older first. What fills one returns what judges the
   * position that it opened, or null.
   */
  function ordersInside(i: number): { order: Order; fill: () => (() => void) | null }[] {
    return working.flatMap((order) => {
      const fill = fillOf(order, bars[i]!);
      if (fill === null) return [];
      const act = () => {
        working = working.filter((other) => other !== order);
        const finer = config.detail_interval === null ? null : finerBars(i);
        const finerFills = finer?.map((bar) => fillOf(order, bar)) ?? [];
        const entryAt = finerFills.findIndex((one) => one !== null);
        const raw = finerFills[entryAt]?.raw ?? fill.raw;
        const entered = enter(i, order.placed, order.sign, raw, true);
        note(`${config.entry_order} order inside`, typeof entered !== 'string');
        note('order at a finer open', typeof entered !== 'string' && raw !== fill.raw);
        note('order denied inside', typeof entered === 'string');
        if (typeof entered !== 'string') return () => touchEntryInside(i, entered, entryAt < 0 ? null : entryAt);
        deny(i, order.sign, entered);
        return null;
      };
      return [{ order, fill: act }];
    });
  }

  // ----------------------------------------------------------------------- at the close

  function charge(i: number): void {
    const { c: close, funding = 0 } = bars[i]!;
    const usedUp: Position[] = [];
    for (const position of openPositions()) {
      const { sign, price } = position;
      const left = leftOf(position);
      const borrowed = sign < 0 ? left * close : left * price * (1 - 1 / leverage);
      const owed = hasFunding ? sign * left * close * funding : (borrowed * num('borrow_rate') * intervalMs) / YEAR_MS;
      if (owed === 0 || (hasFunding && config.funding !== true)) continue;
      const rest = position.margin === null ? Infinity : worthAt(position, close) - borneBy(position);
      const free = Math.max(0, cash());
      const isUsedUp = owed > 0 && owed >= free + rest;
      const paid = isUsedUp ? free + rest : owed;
      const borne = paid > 0 ? Math.max(0, paid - free) : paid;
      record({ kind: hasFunding ? 'funding' : 'borrowing', bar: i, cash: -paid, borne, position });
      if (!isUsedUp) continue;
      note('used up by carry');
      usedUp.push(position);
    }
    for (const position of usedUp) sell(i, position, { raw: close, reason: 'LIQUIDATION' });
  }

  function exitReason(i: number, { sign, bar, price }: Position): string | null {
    const isOver = (limit: number | null) => limit !== null && limit > 0 && i - bar + 1 >= limit;
    const unrealized = sign * (bars[i]!.c / price - 1);
    if (rulesOf(sign)!.exit[i]) return 'SIGNAL';
    if (isOver(maxHoldBars)) return 'MAX_HOLD';
    if (isOver(orNull('exit_on_loss_after_bars')) && unrealized < 0) return 'LOSS_TIMEOUT';
    if (isOver(orNull('exit_on_profit_after_bars')) && unrealized >= num('profit_threshold_pct')) {
      return 'PROFIT_TIMEOUT';
    }
    return null;
  }

  /** What the rules want at the close of bar i; orders are placed, cancelled and expire here. */
  function decideEntries(i: number): void {
    wanted = [];
    orders.expired += working.filter(({ lastBar }) => lastBar === i).length;
    working = working.filter(({ lastBar }) => lastBar > i);
    const areBoth = long.entry[i] === true && short?.entry[i] === true;
    for (const sign of signs) {
      const rules = rulesOf(sign);
      if (rules === null) continue;
      const isExit = rules.exit[i] === true;
      if (isExit && working.some((order) => order.sign === sign)) {
        working = working.filter((order) => order.sign !== sign);
        wanted.push({ sign, denial: 'exit_conflict' });
        note('order cancelled');
      }
      if (rules.entry[i] !== true) continue;
      if (isExit) wanted.push({ sign, denial: 'exit_conflict' });
      else if (areBoth) wanted.push({ sign, denial: 'side_conflict' });
      else if (config.entry_order === 'market') wanted.push({ sign, denial: null });
      else if (working.some((order) => order.sign === sign)) wanted.push({ sign, denial: 'order_working' });
      else placeOrder(i, sign);
    }
  }

  function placeOrder(i: number, sign: Sign): void {
    const { c: close } = bars[i]!;
    const atr = effectiveAtrAt(i);
    const offsetAtr = orNull('entry_offset_atr');
    if (offsetAtr !== null && atr === null) {
      wanted.push({ sign, denial: 'atr_warmup' });
      return;
    }
    const offset = offsetAtr === null ? close * num('entry_offset_pct') : offsetAtr * atr!;
    const level = config.entry_order === 'limit' ? close - sign * offset : close + sign * offset;
    orders.placed++;
    working.push({ sign, placed: i, level, lastBar: i + num('entry_valid_bars') });
  }

  return {
    request,
    config,
    trades,
    denied,
    orders,
    detail,
    notes,
    events,
    openPositions,
    leftOf,
    worthsAt,
    ordersAtOpen,
    ordersInside,
    touch,
    charge,
    decideEntries,
    isWanting: () => wanted.length > 0,
    sellScheduled(i: number): void {
      for (const [position, reason] of scheduled) sell(i, position, { raw: bars[i]!.o, reason, isAtOpen: true });
      scheduled = new Map();
    },
    enterWanted(i: number): void {
      for (const { sign, denial } of wanted) {
        const entered = denial ?? enter(i, i - 1, sign, bars[i]!.o, false);
        if (typeof entered === 'string') deny(i, sign, entered);
      }
      wanted = [];
    },
    sellRest(i: number, reason = 'END', raw = bars[i]!.c): void {
      for (const position of openPositions()) sell(i, position, { raw, reason });
    },
    decideExits(i: number): void {
      for (const position of openPositions()) {
        const reason = exitReason(i, position);
        if (reason !== null) scheduled.set(position, reason);
      }
    },
    /** @param hasBar what had no bar keeps the reason that it waits with */
    guardAll(hasBar: boolean): void {
      for (const position of openPositions()) {
        if (hasBar || !scheduled.has(position)) scheduled.set(position, 'GUARD');
      }
    },
  };
}

// --------------------------------------------------------------------------------------- portfolio

export interface RefPortfolioMember {
  request: RefSidesRequest;
  weight: number;
  /** At the close of each bar, null where undefined; null: no member has ranks. */
  rank: (number | null)[] | null;
}

export interface RefPortfolio {
  members: RefPortfolioMember[];
  /** Times before it are history, epoch ms. */
  start: number;
  ended: { after: number; isWrittenOff: boolean };
  initialBalance: number;
  minBalanceThreshold: number;
  maxOpenPositions: number | null;
  maxGrossExposure: number | null;
  guards: { maxDrawdown: number | null; dailyLoss: number | null; groupStop: number | null; pauseBars: number };
}

export interface RefPortfolioResult {
  /** Of each member. */
  members: Pick<RefSidesResult, 'trades' | 'denied_entries' | 'orders' | 'detail'>[];
  times: number[];
  equity: number[];
  cash: number[];
  exposedTimes: number;
  notes: Record<string, number>;
}

/** One account over several members, time by time. */
export function referencePortfolio(portfolio: RefPortfolio): RefPortfolioResult {
  const { initialBalance, maxOpenPositions, maxGrossExposure, guards, start } = portfolio;
  const times = [...new Set(portfolio.members.flatMap(({ request }) => request.bars.map(({ t }) => t)))]
    .filter((t) => t >= start)
    .sort((a, b) => a - b);
  const equity: number[] = [];
  const cashCurve: number[] = [];
  const notes: Record<string, number> = {};
  const pauses: number[] = [];
  let sincePeak = [initialBalance];
  let exposedTimes = 0;
  let now = 0;

  const note = (what: string) => {
    notes[what] = (notes[what] ?? 0) + 1;
  };
  const barAt = (m: number, time: number): number =>
    portfolio.members[m]!.request.bars.findIndex(({ t }) => t === time);
  /** The open of a member that has a bar now, else its last close. */
  const openOf = (m: number): number => {
    const { bars } = portfolio.members[m]!.request;
    const i = barAt(m, times[now]!);
    return i >= 0 ? bars[i]!.o : lastClose(m);
  };
  const lastClose = (m: number): number => {
    const past = portfolio.members[m]!.request.bars.filter(({ t }) => t <= times[now]!);
    return past[past.length - 1]?.c ?? Number.NaN;
  };
  const account: RefAccount = {
    initialBalance,
    floorAmount: referenceFloorAmount({
      initial_balance: initialBalance,
      min_balance_threshold: portfolio.minBalanceThreshold,
    }),
    cash: () => account.flows.reduce((sum, flow) => sum + flow, initialBalance),
    valueAtOpen: () => valueWith(openOf),
    isPaused: () => pauses.some((through) => now <= through),
    isFull: () =>
      maxOpenPositions !== null &&
      members.reduce((count, member) => count + member.openPositions().length, 0) >= maxOpenPositions,
    room: () =>
      maxGrossExposure === null
        ? Infinity
        : members.reduce(
            (rest, member, m) =>
              member.openPositions().reduce((left, position) => left - member.leftOf(position) * openOf(m), rest),
            maxGrossExposure * valueWith(openOf),
          ),
    trades: [],
    flows: [],
  };
  const members = portfolio.members.map(({ request, weight }) => memberOf(request, weight, account));
  const valueWith = (priceOf: (m: number) => number): number =>
    members
      .flatMap((member, m) => (member.openPositions().length === 0 ? [] : member.worthsAt(priceOf(m))))
      .reduce((sum, worth) => sum + worth, account.cash());
  const rank = (m: number, i: number): number => portfolio.members[m]!.rank?.[i] ?? -Infinity;

  interface Turn {
    decidedAt: number;
    rank: number;
    m: number;
    /** Long before short. */
    sign: number;
    place: number;
    take: () => void;
  }
  const inTurn = (turns: Turn[]): void => {
    const sorted = [...turns].sort((a, b) => {
      if (a.decidedAt !== b.decidedAt) return a.decidedAt < b.decidedAt ? -1 : 1;
      if (a.rank !== b.rank) return a.rank > b.rank ? -1 : 1;
      return a.m - b.m || b.sign - a.sign || a.place - b.place;
    });
    for (const { take } of sorted) take();
  };
  const turn = (m: number, { placed, sign }: Order, place: number, take: () => void): Turn => {
    const decidedAt = portfolio.members[m]!.request.bars[placed]!.t;
    return { decidedAt, rank: rank(m, placed), m, sign, place, take };
  };

  for (now = 0; now < times.length; now++) {
    const moving = members.map((member, m) => ({ member, m, i: barAt(m, times[now]!) })).filter(({ i }) => i >= 0);

    // B1 and B2, at the open.
    for (const { member, i } of moving) member.sellScheduled(i);
    const wanting = moving.filter(({ member }) => member.isWanting());
    inTurn(
      wanting.map(({ member, m, i }) => {
        return { decidedAt: 0, rank: rank(m, i - 1), m, sign: 0, place: 0, take: () => member.enterWanted(i) };
      }),
    );
    inTurn(
      moving.flatMap(({ member, m, i }) =>
        member.ordersAtOpen(i).map(({ order, fill }, place) => turn(m, order, place, fill)),
      ),
    );
    const held = members.map((member) => member.openPositions());

    // C1, C2 and C3, inside the bar.
    for (const { member, m, i } of moving) for (const position of held[m]!) member.touch(i, position);
    const judges: (() => void)[] = [];
    inTurn(
      moving.flatMap(({ member, m, i }) =>
        member.ordersInside(i).map(({ order, fill }, place) =>
          turn(m, order, place, () => {
            const judge = fill();
            if (judge !== null) judges.push(judge);
          }),
        ),
      ),
    );
    for (const judge of judges) judge();
    if (judges.length > 0 || held.some((positions) => positions.length > 0)) exposedTimes++;

    // At the close.
    for (const { member, i } of moving) member.charge(i);
    for (const [m, member] of members.entries()) {
      const last = member.request.bars.findLastIndex(({ t }) => t <= times[now]!);
      const since = (one: (typeof members)[number]) =>
        one.request.bars.filter(({ t }) => t <= times[now]! && t > member.request.bars[last]!.t).length;
      if (barAt(m, times[now]!) >= 0 || last < 0) continue;
      if (!members.some((other) => since(other) >= portfolio.ended.after)) continue;
      member.sellRest(last, 'ENDED', portfolio.ended.isWrittenOff ? 0 : undefined);
    }
    if (now === times.length - 1) {
      for (const member of members) {
        const { bars } = member.request;
        const last = bars.filter(({ t }) => t <= times[now]!).length - 1;
        if (last >= 0) member.sellRest(last);
      }
    }
    equity.push(valueWith(lastClose));
    cashCurve.push(account.cash());
    const isBroken = guardBreaks();
    for (const { member, i } of moving) member.decideExits(i);
    if (isBroken) for (const [m, member] of members.entries()) member.guardAll(moving.some((one) => one.m === m));
    for (const { member, i } of moving) member.decideEntries(i);
  }

  /** Whether a guard breaks at the close of this time; notes its pause. */
  function guardBreaks(): boolean {
    const value = equity[equity.length - 1]!;
    const day = (time: number) => Math.floor(time / DAY_MS);
    const today = day(times[now]!);
    const pause = () => pauses.push(guards.pauseBars === 0 ? Infinity : now + guards.pauseBars);
    let isBroken = false;

    sincePeak.push(value);
    if (guards.maxDrawdown !== null && 1 - value / Math.max(...sincePeak) >= guards.maxDrawdown) {
      sincePeak = [value];
      note('drawdown guard');
      pause();
      isBroken = true;
    }
    let before = initialBalance;
    for (const [k, other] of equity.entries()) if (day(times[k]!) !== today) before = other;
    if (guards.dailyLoss !== null && 1 - value / before >= guards.dailyLoss) {
      let through = now + 1;
      while (through + 1 < times.length && day(times[through + 1]!) === today) through++;
      pauses.push(through);
      note('daily loss guard');
      isBroken = true;
    }
    const gains = members.flatMap((member, m) =>
      member
        .openPositions()
        .map((position) => position.sign * member.leftOf(position) * (lastClose(m) - position.price)),
    );
    if (guards.groupStop !== null && -gains.reduce((sum, gain) => sum + gain, 0) >= guards.groupStop * value) {
      if (gains.length > 0) note('group stop');
      pause();
      isBroken = true;
    }
    return isBroken;
  }

  for (const member of members) {
    for (const [what, count] of Object.entries(member.notes)) notes[what] = (notes[what] ?? 0) + count;
  }
  return {
    members: members.map(({ trades, denied, orders, detail }) => {
      return { trades, denied_entries: denied, orders, detail };
    }),
    times,
    equity,
    cash: cashCurve,
    exposedTimes,
    notes,
  };
}

/** A run of one strategy on one asset: a portfolio of one member. */
export function referenceSides(request: RefSidesRequest): RefSidesResult {
  const { intervalMs, bars, first } = request;
  const config: Record<string, unknown> = { ...REFERENCE_DEFAULTS, ...SIDES_DEFAULTS, ...request.config };
  const { members, equity, cash, exposedTimes, notes } = referencePortfolio({
    members: [{ request, weight: 1, rank: null }],
    ended: { after: Infinity, isWrittenOff: false },
    start: bars[first]?.t ?? Infinity,
    initialBalance: config.initial_balance as number,
    minBalanceThreshold: config.min_balance_threshold as number,
    maxOpenPositions: null,
    maxGrossExposure: null,
    guards: {
      maxDrawdown: config.guard_max_drawdown as number | null,
      dailyLoss: config.guard_daily_loss as number | null,
      groupStop: config.guard_group_stop as number | null,
      pauseBars: config.guard_pause_bars as number,
    },
  });
  const [own] = members;
  const metrics = referenceMetrics({
    intervalMs,
    initialBalance: config.initial_balance as number,
    bars: bars.slice(first),
    equity,
    trades: own!.trades,
    exposedBars: exposedTimes,
    periodsPerYear: referencePeriods(config, intervalMs),
  });
  return { ...own!, equity, cash, exposed_bars: exposedTimes, metrics, notes };
}

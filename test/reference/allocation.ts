// Weights that are rebalanced, as one plain loop over the times. It shares no code with the engine:
// what is held of an asset is read from a list of purchases and sales whenever it is asked for.
import type { RefBar } from './execution.js';

export interface RefAllocatedAsset {
  bars: RefBar[];
  /** At the close of each bar, null where undefined; null: no asset has ranks. */
  rank: (number | null)[] | null;
  where: boolean[] | null;
}

export interface RefAllocation {
  assets: RefAllocatedAsset[];
  every: '1d' | '1w' | '1M' | '1q';
  top: number | null;
  weighting: 'equal' | 'inverse_volatility' | 'fixed';
  weights: number[] | null;
  band: number;
  reserve: number;
  volatilityWindow: number;
  guards: { maxDrawdown: number | null; dailyLoss: number | null; groupStop: number | null; pauseBars: number };
  ended: { after: number; isWrittenOff: boolean };
  initialBalance: number;
  fee: number;
  slippage: number;
  intervalMs: number;
  /** Times before it are history, epoch ms. */
  start: number;
}

export interface RefSale {
  asset: number;
  /** Index of the time. */
  time: number;
  units: number;
  entry: number;
  exit: number;
  profit: number;
  reason: string;
}

export interface RefAllocationResult {
  sales: RefSale[];
  equity: number[];
  cash: number[];
  turnover: number;
}

interface Fill {
  asset: number;
  /** Units bought, or below 0 sold. */
  units: number;
  price: number;
  fee: number;
}

/** What a holder of one asset has after some fills: units, mean price, fees of the entry not yet charged. */
function holding(fills: Fill[], asset: number): { units: number; mean: number; fees: number } {
  let [units, mean, fees] = [0, 0, 0];
  for (const fill of fills) {
    if (fill.asset !== asset) continue;
    if (fill.units > 0) {
      mean = (mean * units + fill.price * fill.units) / (units + fill.units);
      units += fill.units;
      fees += fill.fee;
    } else {
      const part = -fill.units / units;
      fees -= fees * Math.min(1, part);
      units += fill.units;
      if (part >= 1) [units, mean, fees] = [0, 0, 0];
    }
  }
  return { units, mean, fees };
}

export function referenceAllocation(request: RefAllocation): RefAllocationResult {
  const { assets, guards, intervalMs, initialBalance } = request;
  const times = [...new Set(assets.flatMap(({ bars }) => bars.map(({ t }) => t)))]
    .filter((t) => t >= request.start)
    .sort((a, b) => a - b);
  const fills: Fill[] = [];
  const sales: RefSale[] = [];
  const equity: number[] = [];
  const cashCurve: number[] = [];
  const pauses: number[] = [];
  let peaks = [initialBalance];
  /** Weights that wait for the next open of their asset. */
  const waiting = new Map<number, number>();
  /** Assets that a guard sells at their next open. */
  const doomed = new Set<number>();

  const barAt = (asset: number, time: number) => assets[asset]!.bars.find(({ t }) => t === time);
  const lastBar = (asset: number, time: number) => assets[asset]!.bars.findLastIndex(({ t }) => t <= time);
  const unitsOf = (asset: number) => holding(fills, asset).units;
  const cash = () => fills.reduce((sum, { units, price, fee }) => sum - units * price - fee, initialBalance);
  const numbers = [...assets.keys()];
  const valueWith = (priceOf: (asset: number) => number) =>
    numbers.reduce((sum, a) => (unitsOf(a) === 0 ? sum : sum + unitsOf(a) * priceOf(a)), cash());

  function sell(asset: number, units: number, raw: number, reason: string, time: number): void {
    const { units: held, mean, fees } = holding(fills, asset);
    if (!(units > 0) || held === 0) return;
    const price = raw * (1 - request.slippage);
    const fee = request.fee * units * price;
    const entryFee = units >= held ? fees : (fees * units) / held;
    sales.push({
      ...{ asset, time, units, entry: mean, exit: price, reason },
      profit: units * (price - mean) - entryFee - fee,
    });
    fills.push({ asset, units: -units, price, fee });
  }

  function move(time: number, now: number): void {
    const opening = numbers.filter((a) => waiting.has(a) && barAt(a, time) !== undefined);
    const value = valueWith((a) => barAt(a, time)?.o ?? assets[a]!.bars[lastBar(a, time)]!.c);
    const missing = new Map<number, number>();
    for (const a of opening) {
      const weight = waiting.get(a)!;
      waiting.delete(a);
      const { o: open } = barAt(a, time)!;
      const short = weight * value - unitsOf(a) * open;
      if (weight === 0) sell(a, unitsOf(a), open, 'REBALANCE', now);
      else if (Math.abs(short) >= Math.max(request.band, 1e-9) * value) missing.set(a, short / open);
    }
    for (const [a, units] of missing) if (units < 0) sell(a, -units, barAt(a, time)!.o, 'REBALANCE', now);
    const wanted = [...missing].filter(([, units]) => units > 0);
    const priceOf = (a: number) => barAt(a, time)!.o * (1 + request.slippage);
    const cost = wanted.reduce((sum, [a, units]) => sum + units * priceOf(a) * (1 + request.fee), 0);
    const part = cost > cash() ? Math.max(0, cash()) / cost : 1;
    for (const [asset, units] of wanted) {
      const [bought, price] = [units * part, priceOf(asset)];
      if (bought > 0) fills.push({ asset, units: bought, price, fee: request.fee * bought * price });
    }
  }

  /** The period of `every` that a time lies in. */
  function period(time: number): string {
    const date = new Date(time);
    const month = date.getUTCMonth();
    switch (request.every) {
      case '1d':
        return date.toISOString().slice(0, 10);
      case '1w': {
        const monday = new Date(time);
        monday.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
        return monday.toISOString().slice(0, 10);
      }
      case '1M':
        return `${date.getUTCFullYear()} ${month}`;
      default:
        return `${date.getUTCFullYear()} ${Math.floor(month / 3)}`;
    }
  }

  function decide(time: number): void {
    const eligible = numbers.flatMap((a) => {
      const i = lastBar(a, time);
      if (hasEnded(a, time)) return [];
      const { rank, where } = assets[a]!;
      if (i < 0 || where?.[i] === false) return [];
      const value = rank === null ? 0 : rank[i]!;
      return value === null ? [] : [{ a, i, value }];
    });
    const best = eligible.sort((x, y) => y.value - x.value || x.a - y.a).slice(0, request.top ?? eligible.length);
    const plain = best.map(({ a, i }) => {
      if (request.weighting === 'equal') return 1;
      if (request.weighting === 'fixed') return request.weights![a]!;
      const closes = assets[a]!.bars.slice(0, i + 1).map(({ c }) => c);
      const window = request.volatilityWindow;
      if (closes.length < window + 1) return 0;
      const returns = closes.slice(-window).map((close, k) => close / closes[closes.length - window + k - 1]! - 1);
      const mean = returns.reduce((sum, one) => sum + one, 0) / window;
      const deviation = Math.sqrt(returns.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (window - 1));
      return deviation > 0 ? 1 / deviation : 0;
    });
    const total = plain.reduce((sum, one) => sum + one, 0);
    for (const a of numbers) waiting.set(a, 0);
    if (total > 0) for (const [k, { a }] of best.entries()) waiting.set(a, (plain[k]! / total) * (1 - request.reserve));
  }

  /** Another asset has had so many bars since the last one of this. */
  const hasEnded = (asset: number, time: number): boolean => {
    const last = assets[asset]!.bars[lastBar(asset, time)]?.t;
    const shown = ({ bars }: RefAllocatedAsset) => bars.filter(({ t }) => t > last! && t <= time).length;
    return last !== undefined && assets.some((other) => shown(other) >= request.ended.after);
  };

  const isPaused = (now: number) => pauses.some((through) => now <= through);

  function guardBreaks(now: number): boolean {
    const value = equity[now]!;
    const day = (time: number) => Math.floor(time / 86_400_000);
    const pause = () => pauses.push(guards.pauseBars === 0 ? Infinity : now + guards.pauseBars);
    let isBroken = false;
    peaks.push(value);
    if (guards.maxDrawdown !== null && 1 - value / Math.max(...peaks) >= guards.maxDrawdown) {
      peaks = [value];
      pause();
      isBroken = true;
    }
    const before = equity.findLast((_, k) => day(times[k]!) !== day(times[now]!)) ?? initialBalance;
    if (guards.dailyLoss !== null && 1 - value / before >= guards.dailyLoss) {
      let through = now + 1;
      while (through + 1 < times.length && day(times[through + 1]!) === day(times[now]!)) through++;
      pauses.push(through);
      isBroken = true;
    }
    const loss = numbers.reduce((sum, a) => {
      const { units, mean } = holding(fills, a);
      return units === 0 ? sum : sum - units * (assets[a]!.bars[lastBar(a, times[now]!)]!.c - mean);
    }, 0);
    if (guards.groupStop !== null && loss >= guards.groupStop * value) {
      pause();
      isBroken = true;
    }
    return isBroken;
  }

  for (const [now, time] of times.entries()) {
    for (const a of [...doomed]) {
      const bar = barAt(a, time);
      if (bar === undefined) continue;
      sell(a, unitsOf(a), bar.o, 'GUARD', now);
      doomed.delete(a);
    }
    if (isPaused(now)) waiting.clear();
    move(time, now);
    const closeOf = (a: number) => assets[a]!.bars[lastBar(a, time)]!.c;
    const isDue = now === 0 || period(times[now - 1]! + intervalMs) !== period(time + intervalMs);
    for (const a of isDue ? numbers.filter((one) => unitsOf(one) > 0 && hasEnded(one, time)) : []) {
      sell(a, unitsOf(a), request.ended.isWrittenOff ? 0 : closeOf(a), 'ENDED', now);
      waiting.delete(a);
      doomed.delete(a);
    }
    if (now === times.length - 1)
      for (const a of numbers) if (unitsOf(a) > 0) sell(a, unitsOf(a), closeOf(a), 'END', now);
    equity.push(valueWith(closeOf));
    cashCurve.push(cash());
    const wasPaused = isPaused(now);
    if (guardBreaks(now)) {
      for (const a of numbers) if (unitsOf(a) > 0) doomed.add(a);
      waiting.clear();
    } else if (!wasPaused && isDue) decide(time);
  }
  const filled = fills.reduce((sum, { units, price }) => sum + Math.abs(units) * price, 0);
  const mean = equity.reduce((sum, value) => sum + value, 0) / equity.length;
  return { sales, equity, cash: cashCurve, turnover: mean > 0 ? filled / mean : 0 };
}

import ti from 'technicalindicators';
import * as signals from 'trading-signals';

/** Prices in the shapes that the peers take, built outside the clock. */
export interface PeerBars {
  readonly high: number[];
  readonly low: number[];
  readonly close: number[];
  readonly candles: readonly { readonly high: number; readonly low: number; readonly close: number }[];
}

export const peerBars = (bars: { high: Float64Array; low: Float64Array; close: Float64Array }): PeerBars => {
  const [high, low, close] = [bars.high, bars.low, bars.close].map((column) => Array.from(column));
  return { high, low, close, candles: close.map((_, i) => ({ high: high[i], low: low[i], close: close[i] })) };
};

/** Computes one column; the values end at the last bar, leading ones may be missing. */
export type Peer = (bars: PeerBars) => ArrayLike<number>;

/** Feeds a trading-signals indicator bar by bar, the only way it takes them. */
function fed<Input, Result>(
  make: () => { add(input: Input): Result | null },
  inputs: (bars: PeerBars) => readonly Input[],
  pick: (result: Result) => number,
): Peer {
  return (bars) => {
    const indicator = make();
    const values = inputs(bars);
    const out = new Float64Array(values.length).fill(NaN);
    for (let i = 0; i < values.length; i++) {
      const result = indicator.add(values[i]);
      if (result !== null) out[i] = pick(result);
    }
    return out;
  };
}

const closes = (bars: PeerBars) => bars.close;
const candles = (bars: PeerBars) => bars.candles;
const itself = (value: number) => value;

/**
 * trading-signals 8.3.0, one column per name. Its ADX gives other values than Wilder's (24.22
 * against 23.87), so it does not race.
 */
export const tradingSignals: Readonly<Record<string, Peer>> = {
  'SMA 20': fed(() => new signals.SMA(20), closes, itself),
  'EMA 20': fed(() => new signals.EMA(20), closes, itself),
  'RSI 14': fed(() => new signals.RSI(14), closes, itself),
  'ATR 14': fed(() => new signals.ATR(14), candles, itself),
  'MACD 12/26/9': fed(
    () => new signals.MACD(new signals.EMA(12), new signals.EMA(26), new signals.EMA(9)),
    closes,
    ({ histogram }) => histogram,
  ),
  'Bollinger 20': fed(
    () => new signals.BollingerBands(20, 2),
    closes,
    ({ upper }) => upper,
  ),
  'Stochastic 14/3/3': fed(
    () => new signals.StochasticOscillator({ kPeriod: 14, kSlowingPeriod: 3, dPeriod: 3 }),
    candles,
    ({ stochD }) => stochD,
  ),
  'rolling max 20': fed(
    () => new signals.Period(20),
    (bars) => bars.high,
    ({ highest }) => highest,
  ),
};

/**
 * technicalindicators 3.1.0. It rounds RSI to two decimals inside; its stochastic has no slowing,
 * so it does not race.
 */
export const technicalIndicators: Readonly<Record<string, Peer>> = {
  'SMA 20': ({ close }) => ti.sma({ period: 20, values: close }),
  'EMA 20': ({ close }) => ti.ema({ period: 20, values: close }),
  'RSI 14': ({ close }) => ti.rsi({ period: 14, values: close }),
  'ATR 14': ({ high, low, close }) => ti.atr({ period: 14, high, low, close }),
  'MACD 12/26/9': ({ close }) =>
    ti
      .macd({
        values: close,
        fastPeriod: 12,
        slowPeriod: 26,
        signalPeriod: 9,
        SimpleMAOscillator: false,
        SimpleMASignal: false,
      })
      .map(({ histogram }) => histogram ?? NaN),
  'Bollinger 20': ({ close }) => ti.bollingerbands({ period: 20, stdDev: 2, values: close }).map(({ upper }) => upper),
  'ADX 14': ({ high, low, close }) => ti.adx({ period: 14, high, low, close }).map(({ adx }) => adx),
  'rolling max 20': ({ high }) => ti.Highest.calculate({ period: 20, values: high }),
  'rolling stddev 20': ({ close }) => ti.sd({ period: 20, values: close }),
};

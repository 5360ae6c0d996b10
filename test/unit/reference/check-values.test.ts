import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as ind from '../../reference/indicators.js';
import { goldenPath } from '../../support/tree.js';

interface CheckValues {
  generator: { seed: number; multiplier: number; modulus: number; bars: number };
  bars: Record<'open' | 'high' | 'low' | 'close' | 'volume', number[]>;
  values: { series: string; params: number[]; first: number; value: number }[];
}

const golden: CheckValues = JSON.parse(readFileSync(goldenPath('check-values.json'), 'utf8'));
const { open: O, high: H, low: L, close: C, volume: V } = golden.bars;

const series: Record<string, (...params: number[]) => number[]> = {
  SMA: (n) => ind.sma(C, n),
  EMA: (n) => ind.ema(C, n),
  RMA: (n) => ind.rma(C, n),
  WMA: (n) => ind.wma(C, n),
  DEMA: (n) => ind.dema(C, n),
  TEMA: (n) => ind.tema(C, n),
  TRIMA: (n) => ind.trima(C, n),
  EPMA: (n) => ind.epma(C, n),
  HMA: (n) => ind.hma(C, n),
  ALMA: (n, offset, sigma) => ind.alma(C, n, offset, sigma),
  T3: (n, v) => ind.t3(C, n, v),
  KAMA: (n, pow1, pow2) => ind.kama(C, n, pow1, pow2),
  MAMA: (fast, slow, warmup) => ind.mama(ind.medianPrice(H, L), fast, slow, warmup).mama,
  FAMA: (fast, slow, warmup) => ind.mama(ind.medianPrice(H, L), fast, slow, warmup).fama,
  RSI: (n) => ind.rsi(C, n),
  '%K': (n) => ind.stochK(H, L, C, n),
  WR: (n) => ind.williamsR(H, L, C, n),
  TSI: (slow, fast) => ind.tsi(C, slow, fast),
  UO: (short, medium, long) => ind.ultimate(H, L, C, short, medium, long),
  ROC: (n) => ind.roc(C, n),
  AO: (fast, slow) => ind.awesome(H, L, fast, slow),
  StochRSI: (n) => ind.stochRsi(C, n).value,
  PPO: (fast, slow) => ind.percentOscillator(C, fast, slow, 1).line,
  'PPO signal': (fast, slow, sign) => ind.percentOscillator(C, fast, slow, sign).signal,
  PVO: (fast, slow) => ind.percentOscillator(V, fast, slow, 1).line,
  BOP: () => ind.bop(O, H, L, C),
  CMO: (n) => ind.cmo(C, n),
  MACD: (fast, slow) => ind.macd(C, fast, slow, 1).line,
  'MACD signal': (fast, slow, sign) => ind.macd(C, fast, slow, sign).signal,
  ADX: (n) => ind.adx(H, L, C, n).adx,
  '+DI': (n) => ind.adx(H, L, C, n).plus,
  '-DI': (n) => ind.adx(H, L, C, n).minus,
  'Aroon up': (n) => ind.aroon(H, L, n).up,
  'Aroon down': (n) => ind.aroon(H, L, n).down,
  TRIX: (n) => ind.trix(C, n),
  'Mass index': (fast, slow) => ind.massIndex(H, L, fast, slow),
  tenkan: (t, k, s) => ind.ichimoku(H, L, t, k, s).tenkan,
  span_a: (t, k, s) => ind.ichimoku(H, L, t, k, s).spanA,
  span_b: (t, k, s) => ind.ichimoku(H, L, t, k, s).spanB,
  KST: (...p) => ind.kst(C, p.slice(0, 4), p.slice(4, 8), 1).line,
  'KST signal': (...p) => ind.kst(C, p.slice(0, 4), p.slice(4, 8), p[8]).signal,
  DPO: (n) => ind.dpo(C, n),
  CCI: (n, constant) => ind.cci(H, L, C, n, constant),
  'VI+': (n) => ind.vortex(H, L, C, n).plus,
  'VI-': (n) => ind.vortex(H, L, C, n).minus,
  SAR: (step, most) => ind.psar(H, L, C, step, most),
  STC: (slow, fast, cycle, s1, s2) => ind.stc(C, slow, fast, cycle, s1, s2).value,
  'HA close': () => ind.heikinAshi(O, H, L, C).close,
  'HA open': () => ind.heikinAshi(O, H, L, C).open,
  high_offset: (n, m) => ind.chandelier(H, L, C, n, m).highOffset,
  low_offset: (n, m) => ind.chandelier(H, L, C, n, m).lowOffset,
  'alligator jaw': (n, offset) => ind.alligatorLine(H, L, n, offset),
  'SuperTrend dir': (n, m) => ind.superTrend(H, L, C, n, m).dir,
  'ATR-stop dir': (n, m) => ind.atrStop(H, L, C, n, m).dir,
  'squeeze momentum': (n) => ind.squeezeMomentum(H, L, C, n),
  ATR: (n) => ind.atr(H, L, C, n),
  NATR: (n) => ind.natr(H, L, C, n),
  'BB upper': (n, k) => ind.bollinger(C, n, k).upper,
  'BB width': (n, k) => ind.bollingerWidth(C, n, k),
  'KC upper': (n, atrWindow, m) => ind.keltner(H, L, C, n, atrWindow, m).upper,
  'KC upper original': (n) => ind.keltnerOriginal(H, L, C, n).upper,
  'Donchian U': (n) => ind.donchian(H, L, n).upper,
  Ulcer: (n) => ind.ulcer(C, n),
  'volatility stop upper': (n, m) => ind.volatilityStop(C, n, m).upper,
  ADI: () => ind.adi(H, L, C, V),
  OBV: () => ind.obv(C, V),
  CMF: (n) => ind.cmf(H, L, C, V, n),
  Force: (n) => ind.force(C, V, n),
  EOM: () => ind.eom(H, L, V),
  VPT: () => ind.vpt(C, V),
  NVI: () => ind.nvi(C, V),
  'NVI line': (n) => ind.nviLine(C, V, n),
  MFI: (n) => ind.mfi(H, L, C, V, n),
  VWAP: (n) => ind.vwap(H, L, C, V, n),
  VWMA: (n) => ind.vwma(C, V, n),
  ADOSC: (fast, slow) => ind.adosc(H, L, C, V, fast, slow),
  KVO: (fast, slow) => ind.kvo(H, L, C, V, fast, slow, 1).line,
  'KVO signal': (fast, slow, sign) => ind.kvo(H, L, C, V, fast, slow, sign).signal,
};

test('the stored bars are those of the integer generator', () => {
  const { seed, multiplier, modulus, bars } = golden.generator;
  let state = seed;
  const next = () => {
    state = (state * multiplier) % modulus;
    return state;
  };
  let previous = 10_000;
  for (let i = 0; i < bars; i++) {
    const close = previous + (next() % 401) - 200;
    const high = Math.max(previous, close) + (next() % 120);
    const low = Math.min(previous, close) - (next() % 120);
    const volume = 100 + (next() % 900);
    assert.deepEqual([O[i], H[i], L[i], C[i], V[i]], [previous / 100, high / 100, low / 100, close / 100, volume]);
    previous = close;
  }
  assert.deepEqual([O[0], H[0], L[0], C[0], V[0]], [100, 101.03, 98.45, 99.34, 543]);
  assert.deepEqual([O[119], H[119], L[119], C[119], V[119]], [72.19, 73.29, 70.58, 70.73, 917]);
});

test('every check value names a series, and every series has a check value', () => {
  assert.deepEqual(golden.values.map((row) => row.series).sort(), Object.keys(series).sort());
});

for (const row of golden.values) {
  test(`${row.series}(${row.params.join(', ')})`, () => {
    const line = series[row.series](...row.params);
    assert.equal(line.length, 120);
    assert.equal(
      line.findIndex((value) => !Number.isNaN(value)),
      row.first,
      'first defined bar',
    );
    assert.ok(!line.slice(row.first).some(Number.isNaN), 'no gap afterwards');
    const off = Math.abs(line[119] - row.value);
    assert.ok(off <= 1e-8 * Math.abs(row.value), `${line[119]} instead of ${row.value}`);
  });
}

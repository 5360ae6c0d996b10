import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSameBars, openTries } from '../../../../data/tries/index.js';
import { type BarSeries, DAY_MS, HOUR_MS, sliceBars } from '../../../../engine/series/index.js';
import { aggregateBars } from '../../../../engine/timeframes/index.js';
import { importBars } from '../../../../library/data.js';
import {
  loadBars,
  runBacktest,
  runPortfolio,
  runPortfolioSweep,
  runSweep,
  type Strategy,
} from '../../../../library/index.js';
import { csvOf, fileOf, tempFolder } from '../../../support/data-fixtures.js';
import { crossSweep, filter, trigger } from '../../../support/sweeps.js';

const bundled = (asset: string, interval: string) => loadBars({ asset, interval });
const priced = (bars: BarSeries, price: (value: number) => number): BarSeries => {
  const [open, close] = [bars.open.map(price), bars.close.map(price)];
  const [a, b] = [bars.high.map(price), bars.low.map(price)];
  return {
    ...bars,
    open,
    close,
    high: a.map((one, i) => Math.max(one, b[i]!)),
    low: a.map((one, i) => Math.min(one, b[i]!)),
  };
};
const between = (bars: BarSeries, from: string, to: string) => {
  const at = (date: string) => bars.time.findIndex((time) => time >= Date.parse(date));
  return sliceBars(bars, at(from), at(to));
};

test('a renamed, cut, aggregated, scaled or inverted copy is the same market; the bundled majors are not', async (t) => {
  const same = openSameBars(tempFolder(t));
  const [hours, days] = [await bundled('BTC', '1h'), await bundled('BTC', '1d')];
  await same.meet('BTC', hours);
  const copies: Record<string, BarSeries> = {
    DAYS: days,
    FOURHOURS: aggregateBars(hours, 4 * HOUR_MS).bars,
    WEEKS: aggregateBars(days, 7 * DAY_MS).bars,
    YEAR: between(hours, '2022-03-05T07:00:00Z', '2023-03-05T13:00:00Z'),
    WEEK: between(hours, '2022-03-05T07:00:00Z', '2022-03-12T13:00:00Z'),
    SATOSHI: priced(hours, (price) => Number((price / 1_000).toFixed(5))),
    INVERSE: priced(days, (price) => 1 / price),
  };
  for (const [name, bars] of Object.entries(copies)) {
    assert.equal(await same.meet(name, bars), name);
    assert.ok((await same.namesOf(name)).includes('BTC'), name);
    assert.ok((await same.namesOf('BTC')).includes(name), name);
  }
  for (const asset of ['ETH', 'SOL', 'BNB', 'XRP']) {
    await same.meet(asset, await bundled(asset, '1d'));
    assert.deepEqual(await same.namesOf(asset), [asset]);
  }
  // What cannot be told: another clock, and bars of less than four whole days or without a move.
  const shifted = { ...days, time: days.time.map((time) => time + DAY_MS) };
  const short = between(hours, '2022-03-05T00:00:00Z', '2022-03-08T00:00:00Z');
  const flat = priced(days, () => 1);
  for (const [name, bars] of Object.entries({ SHIFTED: shifted, SHORT: short, FLAT: flat, FLATTER: flat })) {
    await same.meet(name, bars);
    assert.deepEqual(await same.namesOf(name), [name]);
  }
});

const rule = (name: string, slow: number) =>
  ({ name, signal_type: 'TRIGGER', timeframe: '1d', params: { window_fast: 2, window_slow: slow } }) as const;
const crossing = (asset: string, slow = 5): Strategy =>
  ({ name: 'crossing', asset, entry: [rule('sma_cross_up', slow)], exit: [rule('sma_cross_down', slow)] }) as Strategy;
const plan = (asset: string, more: object = {}) =>
  crossSweep({
    datasets: [{ asset, timeframe: '1d' }],
    entry_signals: {
      triggers: [trigger('sma_cross_up', { window_fast: { values: [2, 3] }, window_slow: { values: [5, 8] } })],
      filters: [filter('is_above_sma', { window: { values: [4] } })],
    },
    ...more,
  });

test('tries and held-out days of a market are those of every name of its bars', async (t) => {
  const home = tempFolder(t);
  const days = await bundled('BTC', '1d');
  const scaled = priced(days, (price) => price * 1_000);
  const file = await fileOf(home, 'copy.csv', csvOf(scaled));
  await importBars(file, { asset: 'COPY', home });
  const unnamed = await loadBars({ file });

  await runSweep({ sweep: plan('BTC', { holdout: 90 }), home });
  const tries = (await openTries(home).read('BTC')).length;
  const refused = { code: 'INVALID_FIELD', message: /^end must be .* of BTC are held out/ };
  await assert.rejects(runBacktest({ strategy: crossing('COPY'), interval: '1d', home }), refused);
  await assert.rejects(runBacktest({ strategy: crossing('ANY'), bars: unnamed, home }), refused);
  const reading = { ...crossing('ETH'), entry: [{ ...rule('sma_cross_up', 5), asset: 'COPY' }] } as Strategy;
  await assert.rejects(runBacktest({ strategy: reading, interval: '1d', home }), refused);
  const untold = { message: /holdout must be 90, was not given: .* of BTC are held out/ };
  await assert.rejects(runSweep({ sweep: plan('COPY'), home }), untold);
  const portfolio = { interval: '1d', allocation: { assets: ['COPY', 'ETH'], every: '1w' } } as const;
  await assert.rejects(runPortfolio({ portfolio, home }), refused);
  const axes = [{ param: 'allocation.every', values: ['1w', '1M'] }];
  await assert.rejects(runPortfolioSweep({ sweep: { portfolio, sweep_axes: axes }, home }), untold);

  const early = { end: '2024-12-31', home };
  for (const slow of [5, 8, 13]) await runBacktest({ strategy: crossing('COPY', slow), interval: '1d', ...early });
  const { asset: _, ...anyAsset } = crossing('', 21);
  await runBacktest({ strategy: anyAsset as Strategy, bars: unnamed, ...early });
  const { verdicts } = await runSweep({ sweep: plan('COPY', { holdout: 90 }), home });
  assert.equal(verdicts[0]!.everTried!.trialCount, tries + 4 + verdicts[0]!.trialCount);
  assert.equal(verdicts[0]!.everTried!.otherAssets, 0, 'a copy is no other asset');
  assert.equal((await openTries(home).read('ETH')).length, 0);
});

test('a home that does not exist is not made for what was met, and gets it with its first record', async (t) => {
  const home = join(tempFolder(t), 'later');
  const same = openSameBars(home);
  const days = await bundled('BTC', '1d');
  await same.meet('BTC', days);
  assert.match(await same.meet('UNNAMED', between(days, '2022-01-01', '2023-01-01')), /^BTC$/);
  assert.match(await same.meet('UNNAMED', await bundled('ETH', '1d')), /^UNNAMED-[0-9A-F]{8}$/);
  assert.ok(!existsSync(home));
  await openTries(home).add('BTC', ['0123456789abcdef']);
  assert.ok(existsSync(join(home, 'same-bars', 'courses')));
});

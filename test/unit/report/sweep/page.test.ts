import assert from 'node:assert/strict';
import test from 'node:test';
import type { Assessment } from '../../../../engine/sweep/index.js';
import { renderSweep, type SweepSheet, verdictText } from '../../../../report/index.js';
import { heatMap } from '../../../../report/sweep/heat-map.js';
import { firstPair, groupParameters } from '../../../../report/sweep/parameters.js';
import { honesty, idleSweepSheet, randomSweepSheet, walkForward } from '../../../support/sweep-sheet.js';

const sheet = randomSweepSheet();
const html = renderSweep(sheet);
const textOf = (page: string): string =>
  page
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&nbsp;|\u00a0/g, ' ')
    .replace(/\s+/g, ' ');

const EVIL = `</script><script>alert("x")</script>'&<img src=x onerror=alert(1)>\u0000\ud800`;

test('no name of a sweep becomes markup, in any place', () => {
  const rule = { name: EVIL, role: 'TRIGGER', params: { [EVIL]: EVIL }, timeframe: EVIL, description: EVIL } as const;
  const runs = sheet.best.map((run) => ({
    ...run,
    dataset: EVIL,
    entry: [rule],
    exit: [rule],
    settings: { [EVIL]: EVIL },
  }));
  const evil: SweepSheet = {
    ...sheet,
    title: EVIL,
    errors: [{ message: EVIL, count: 1 }],
    datasets: sheet.datasets.map((one) => ({
      ...one,
      name: EVIL,
      leader: runs[0]!,
      honesty: { ...honesty, walkForward, asset: EVIL },
    })),
    explored: {
      ...sheet.explored!,
      parameters: sheet.explored!.parameters.map((one, i) => ({
        ...one,
        name: `${EVIL}${i}`,
        values: one.values.map((value) => (typeof value === 'string' ? EVIL + value : value)),
      })),
    },
    best: runs,
    configuration: { [EVIL]: EVIL },
    manifest: { [EVIL]: EVIL },
    warnings: [EVIL],
  };
  const page = renderSweep(evil);
  assert.equal(page.match(/<script/g)?.length, 2, 'the data and the script of the page, nothing else');
  assert.equal(page.match(/<\/script/g)?.length, 2);
  assert.doesNotMatch(page, /<img/);
  assert.ok(!page.includes('\u0000') && !/\p{Surrogate}/u.test(page));
});

const withAssessment = (more: Partial<Assessment>) => ({
  ...sheet,
  datasets: sheet.datasets.map((one) => ({ ...one, honesty: { ...honesty, ...more } })),
});

test('the honest sentence stands before the figures it comes from', () => {
  const text = textOf(html);
  const sentence =
    'Run 7 has the highest Sharpe ratio of 4,096 tries that traded, 1.50 (annualized, of 1h returns). It owes its result to the market: beyond what BTC earned, luck alone does this well in 1 of 2 searches like all of yours (5,000 tries ever made on BTC). As it stands, luck alone does this well in 1 of 3 searches like all of yours (5,000 tries ever made on BTC).';
  assert.equal(verdictText(honesty).replaceAll('\u00a0', ' '), sentence);
  const shown = verdictText(sheet.datasets[0]!.honesty!).replaceAll('\u00a0', ' ');
  assert.ok(text.indexOf(shown) > 0 && text.indexOf(shown) < text.indexOf('Deflated Sharpe'));
  for (const figure of [
    '812',
    '1.90',
    '62 %',
    'over 99 %',
    '31 %',
    '17 %',
    '19 %',
    '34 %',
    '0.10 %',
    '5.4 years',
    '124 days',
    '1.2 %',
    '0 % to 80 %',
  ]) {
    assert.ok(text.includes(figure), figure);
  }
  assert.match(textOf(renderSweep(withAssessment({ luckySharpe: null }))), /There was no choice/);
  assert.match(verdictText({ ...honesty, luckP: null }), /too few days/);
});

test('the verdict says first whether the leader lost, then the strictest test that it fails', () => {
  const said = (more: Partial<Assessment>) =>
    verdictText({ ...honesty, everTried: null, ...more }).replaceAll('\u00a0', ' ');
  assert.match(said({ fails: 'luck', luckP: 0.31 }), /Do not believe it: luck alone does this well in 1 of 3 sweeps/);
  assert.match(said({ fails: 'luck', luckP: 0.97 }), /in nearly all sweeps/);
  assert.match(
    said({ fails: 'timing' }),
    /not better than random ones: .* is timed as well in 1 of 25 sweeps like this/,
  );
  assert.match(
    said({ fails: null, luckP: 0.002, marketP: 0.01 }),
    /It passes every test made here: .* 1 of 500 .* 1 of 100/,
  );
  const p = { luckP: 0.006, marketP: 0.03, timingP: 0.03, fillsP: null };
  const whole = { datasets: 3, trialCount: 9_000, ...p, fails: null };
  const passing = { fails: null, luckP: 0.002, marketP: 0.01 } as const;
  assert.match(
    said({ ...passing, wholeSweep: whole }),
    /Picked from 3 datasets with 9,000 tries, it passes as well: .* in up to 1 of 167 sweeps\.$/,
  );
  assert.match(
    said({ ...passing, wholeSweep: { ...whole, marketP: 0.1, fails: 'market' } }),
    /it does not pass: beyond what BTC earned, luck alone does this well on one of them in up to 1 of 10 sweeps\.$/,
  );
  assert.doesNotMatch(said({ fails: 'luck', luckP: 0.31, wholeSweep: { ...whole, fails: 'luck' } }), /Picked/);
  const costStress = [{ factor: 1, sharpe: -1, totalReturn: -0.42, exhaustedOn: null }];
  assert.match(said({ costStress }), /^The leader loses 42 %; 1,204 of 4,096 tries made money\. Run 7 has/);
  assert.match(said({ marketP: null, timing: null, fails: null }), /every test made here: luck .* sweeps like this\.$/);
});

test('the page of a walk-forward sweep names one winner, and gives its result out of sample', () => {
  const walked = randomSweepSheet({ walksForward: true });
  const { run } = walked.datasets[0]!.leader!;
  const elsewhere = { ...walked.best[1]!, metrics: { ...walked.best[1]!.metrics, sharpe_ratio: 99 } };
  const page = renderSweep({ ...walked, best: [elsewhere, ...walked.best] });
  const glance = textOf(/<section id="headline"[\s\S]*?<\/section>/.exec(page)![0]);
  assert.match(glance, new RegExp(`Newest choice run ${run} `));
  assert.match(glance, /Sharpe ratio out of sample 0\.81 4 test windows joined/);
  assert.match(glance, /Return out of sample \+36\.0 % 75 % of 4 folds made a profit/);
  assert.match(glance, /Kept out of sample 39 % of the in-sample Sharpe ratio/);
  assert.doesNotMatch(glance, /Best|99/);
  assert.deepEqual(new Set(glance.match(/\brun \d+/g)), new Set([`run ${run}`]));
  const leader = textOf(/<section id="leaders"[\s\S]*?<\/section>/.exec(page)![0]);
  assert.match(leader, new RegExp(`The newest choice .*run ${run}, chosen on 2023-01-01 to 2023-12-31`));
  assert.match(textOf(page), /The pictures and tables below show the newest training window/);
  assert.match(textOf(html), /Best Sharpe ratio .* run \d+, BTC 1h/, 'another sweep is judged by its best run');
  assert.doesNotMatch(textOf(html), /out of sample|newest/i);
});

test('the page never shows NaN, infinity or undefined', () => {
  const odd = {
    ...sheet,
    explored: {
      ...sheet.explored!,
      metrics: sheet.explored!.metrics.map((one) => ({
        ...one,
        values: one.values.map((value, i) => (i % 3 === 0 ? Number.NaN : value)),
      })),
    },
    datasets: sheet.datasets.map((one) => ({
      ...one,
      honesty: {
        ...honesty,
        sharpe: null,
        probabilisticSharpe: null,
        luckySharpe: null,
        deflatedSharpe: null,
        minTrackRecordDays: null,
        overfitting: null,
        luckP: null,
        realityCheckP: null,
        superiorP: null,
        marketLine: null,
        marketP: null,
        timing: null,
        fails: null,
        reshuffled: null,
        bootstrapped: null,
        plateau: { neighbours: 0, mean: null },
        costStress: [],
      },
    })),
  };
  for (const page of [
    html,
    renderSweep(odd),
    renderSweep(idleSweepSheet('none')),
    renderSweep(idleSweepSheet('skipped')),
  ]) {
    assert.doesNotMatch(textOf(page), /NaN|Infinity|undefined|\[object/);
    assert.doesNotMatch(
      page.replace(/<script[\s\S]*<\/script>/, ''),
      /"[^"]*(NaN|Infinity)[^"]*"/,
      'nor in an attribute',
    );
  }
});

test('the heat map starts with a pair of parameters that the leader has, and so contains it', () => {
  const explored = sheet.explored!;
  const { values } = explored.metrics[0]!;
  const trades = explored.metrics.find(({ name }) => name === 'total_trades')!.values;
  const eligible = Array.from(values.keys()).filter((i) => trades[i]! >= 50);
  const leader = eligible.toSorted((a, b) => values[b]! - values[a]!)[0]!;
  const whole = groupParameters(explored);
  const isOfRidge = (i: number) => firstPair(whole).includes(i);
  for (const lacking of [whole.findIndex((_, i) => isOfRidge(i)), whole.findLastIndex((_, i) => isOfRidge(i))]) {
    const without = whole.map((one, i) =>
      i === lacking ? { ...one, codes: one.codes.map((code, run) => (run === leader ? 0 : code)) } : one,
    );
    const pair = firstPair(without, leader);
    assert.ok(!pair.includes(lacking), `the leader has no ${whole[lacking]!.name}`);
    const html = heatMap(explored, without, 50, explored.runs[leader]!);
    assert.match(html, new RegExp(`<td class="[a-z]+ best"[^>]*, run ${explored.runs[leader]}"`));
    const unled = heatMap(explored, without, 50);
    assert.ok(firstPair(without).includes(lacking) && !unled.includes(`, run ${explored.runs[leader]}"`));
  }
});

import type { MetricName } from '../engine/metrics/index.js';
import { ASSESSMENT_P_MAX, type Assessment, datasetName, leadersFirst } from '../engine/sweep/index.js';
import { type AcrossAssets, type AssetRun, assetFigures } from '../research/backtest/index.js';
import { count, headedTable, percent, plural } from './output.js';
import { statedText } from './summary.js';

/** `luck_p` and the like: a share that rounding never makes 0 or 1. */
export function shareText(value: number | null): string {
  if (value === null) return '-';
  if (value < 0.005) return '< 1 %';
  return value > 0.995 && value < 1 ? '> 99 %' : percent(value, 0);
}

const ratio = (value: number): string => value.toFixed(2);
const whole = (value: number): string => percent(value, 1);

/** Assets of a table; of more, the best and the worst. */
const ROWS_MAX = 40;
const [BEST, WORST] = [30, 5];

const endRows = (rows: readonly string[][]): string[][] =>
  rows.length <= ROWS_MAX ? [...rows] : [...rows.slice(0, BEST), ...rows.slice(-WORST)];

/** A strategy over several assets for a terminal: what they are together, then a line for each. */
export function acrossLines(across: AcrossAssets): string[] {
  const { ranked, leftOut, by } = across;
  const strategy = ranked[0]?.facts.strategy ?? '';
  const header = ['asset', ...(by in shown ? [] : [by]), 'return', 'holding', 'Sharpe', 'drawdown', 'trades', 'luck'];
  const rows = ranked.map((one) => assetRow(one, by));
  return [
    `${strategy} on ${plural(ranked.length, 'asset')}, by ${by}, best first`,
    earnedWords(across),
    '',
    ...headedTable(
      [[...header, 'run'], ...endRows(rows)],
      ['left', ...header.slice(1).map(() => 'right' as const), 'whole'],
    ),
    ...(rows.length > ROWS_MAX
      ? [`and ${count(rows.length - BEST - WORST)} between the best and the worst; --json has all`]
      : []),
    '',
    ...assessmentLinesAcross(across),
    ...leftOut.map(({ asset, reason }) => `left out ${asset}: ${reason}`),
  ];
}

/** Metrics that the table has anyway. */
const shown = { total_return: true, sharpe_ratio: true, max_drawdown: true, total_trades: true } as const;

function assetRow({ facts, luckP }: AssetRun, by: MetricName): string[] {
  const { asset, metrics, trade_count, run_id } = facts;
  const text = (name: MetricName, render: (value: number) => string) => statedText(name, metrics, render);
  return [
    asset,
    ...(by in shown ? [] : [text(by, (value) => value.toPrecision(4))]),
    text('total_return', whole),
    text('benchmark_asset_return', whole),
    text('sharpe_ratio', ratio),
    text('max_drawdown', whole),
    count(trade_count),
    shareText(luckP),
    run_id,
  ];
}

function earnedWords({ ranked, earned, medianReturn, meanReturn }: AcrossAssets): string {
  const best = ranked[0];
  const worst = ranked.findLast(({ facts }) => facts.trade_count > 0);
  const ends =
    best === undefined || worst === undefined || best === worst
      ? ''
      : `; best ${assetName(best)}, worst ${assetName(worst)}`;
  const share = percent(earned / ranked.length, 0);
  return `earned on ${count(earned)} of ${count(ranked.length)} (${share}); return of the median asset ${whole(medianReturn)}, mean ${whole(meanReturn)}${ends}`;
}

const assetName = ({ facts }: AssetRun): string => `${facts.asset} ${statedText('total_return', facts.metrics, whole)}`;

/** How far the best asset, and all of them together, can be believed. */
function assessmentLinesAcross({ ranked, traded, together }: AcrossAssets): string[] {
  if (traded === 0) return ['it traded on no asset, so there is nothing to judge'];
  const passing = ranked.filter(({ luckP, fails }) => luckP !== null && fails === null);
  const lines = [
    passing.length === 0
      ? `no asset is to be believed: each is judged as one picked from ${count(traded)}, with all that was ever tried on it`
      : `passes as one picked from ${count(traded)}, with all that was ever tried on it: ${passing.map(({ facts }) => facts.asset).join(', ')}`,
    'luck: share of strategies without skill that do as well on the best of so many assets',
  ];
  if (together !== null && together.luckP !== null) {
    const verdict = together.luckP <= ASSESSMENT_P_MAX ? 'passes' : 'does not pass';
    const sharpe = together.sharpe === null ? '-' : ratio(together.sharpe);
    lines.push(
      `all together, the same money on each: Sharpe ${sharpe} of ${plural(together.days, 'day')}, luck does as well in ${shareText(together.luckP)}: ${verdict}`,
    );
  }
  return lines;
}

/** The same for JSON. */
export function acrossRecord(across: AcrossAssets): object {
  const { by, ranked, leftOut, earned, traded, medianReturn, meanReturn, together } = across;
  const best = ranked[0]?.facts.asset ?? null;
  const worst = ranked.findLast(({ facts }) => facts.trade_count > 0)?.facts.asset ?? null;
  return {
    strategy: ranked[0]?.facts.strategy ?? null,
    ...{ by, best, worst },
    ...{ assets: ranked.length, traded, earned, earned_share: earned / ranked.length },
    ...{ median_return: medianReturn, mean_return: meanReturn },
    together: together && {
      days: together.days,
      sharpe: together.sharpe,
      probabilistic_sharpe: together.probabilisticSharpe,
      luck_p: together.luckP,
    },
    ranked: ranked.map((one) => assetFigures(one, by)),
    left_out: leftOut,
  };
}

/** Datasets up to which each is judged in full below the table. */
const JUDGED_IN_FULL = 3;

/** The datasets whose judgement is printed: of many datasets only the best. */
export const assessedInFull = (honesty: readonly Assessment[]): Assessment[] => {
  const ranked = leadersFirst(honesty);
  return ranked.length <= JUDGED_IN_FULL ? ranked : ranked.slice(0, 1);
};

/** Growth of a leader at the costs of its run, a fraction. */
const returnAtCosts = ({ costStress }: Assessment): number | null =>
  costStress.find(({ factor }) => factor === 1)?.totalReturn ?? null;

/** One line for each dataset with a leader, best first, and what they are together. */
export function datasetLines(honesty: readonly Assessment[]): string[] {
  const ranked = leadersFirst(honesty);
  const [best, worst] = [ranked[0], ranked.at(-1)];
  if (best === undefined || worst === undefined || ranked.length < 2) return [];
  const { metric } = best.leader;
  const returns = ranked.map(returnAtCosts);
  const earned = returns.filter((one) => one !== null && one > 0).length;
  const tries = ranked.reduce((sum, { trialCount }) => sum + trialCount, 0);
  const gained = ranked.reduce((sum, { profitableTrials }) => sum + profitableTrials, 0);
  const passing = ranked.filter(({ wholeSweep }) => wholeSweep?.fails === null);
  const header = ['dataset', 'leader', metric, 'return', 'trades', 'tries', 'that earned', 'luck'];
  const rows = ranked.map((one, i) => [
    datasetName(one),
    `run ${one.leader.run}`,
    one.leader.value?.toPrecision(4) ?? '-',
    returns[i] === null || returns[i] === undefined ? '-' : percent(returns[i], 1),
    `${count(one.leader.trades)}${one.leader.trades < one.minTrades ? '*' : ''}`,
    count(one.trialCount),
    percent(one.profitableTrials / one.trialCount, 0),
    shareText(one.wholeSweep?.luckP ?? null),
  ]);
  return [
    `${plural(ranked.length, 'dataset')} by the ${metric} of the leader, best first`,
    `the leader earned on ${count(earned)} of ${count(ranked.length)} (${percent(earned / ranked.length, 0)}), ${percent(gained / tries, 0)} of ${count(tries)} tries did; best ${datasetName(best)}, worst ${datasetName(worst)}`,
    ...headedTable(
      [header, ...rows],
      header.map((_, i) => (i < 2 ? 'left' : 'right')),
    ),
    'luck: share of sweeps without skill whose best of all datasets does as well, with all tries ever made',
    passing.length === 0
      ? 'no leader passes as one picked from all of them'
      : `passing as one picked from all of them: ${passing.map(datasetName).join(', ')}`,
    ...(ranked.length <= JUDGED_IN_FULL
      ? []
      : ['the best is judged in full below; --json and --report judge each of them']),
  ];
}

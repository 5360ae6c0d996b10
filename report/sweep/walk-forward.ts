import type { WalkForward } from '../../engine/sweep/index.js';
import { pct } from '../chart.js';
import { count, label, percent } from '../format.js';
import { escapeHtml, numberText, scrollTable } from '../html.js';
import { timeTicks } from '../scale.js';
import { type MarketHeld, walkForwardWords } from './findings.js';
import { isLowBetter, metricText } from './metric.js';

const DAY_MS = 86_400_000;

/** Training and test windows on one time axis, with the result of each leader in both. */
export function walkForwardPanel(walk: WalkForward, name: string, market: MarketHeld): string {
  const { folds, metric: by } = walk;
  if (folds.length === 0) return '<p>There are no folds.</p>';
  const start = (date: string) => Date.parse(date);
  const end = (date: string) => Date.parse(date) + DAY_MS; // the window includes its last day
  const from = Math.min(...folds.map(({ trainFrom }) => start(trainFrom)));
  const to = Math.max(...folds.map(({ testTo }) => end(testTo)));
  const at = (ms: number) => (ms - from) / (to - from);
  const ticks = timeTicks(from, to)
    .map(
      ({ at: place, label: text }, i) =>
        `<span style="left:${pct(place)}"${i % 2 === 1 ? ' class="odd"' : ''}>${escapeHtml(text)}</span>`,
    )
    .join('');
  const bar = (className: string, first: string, last: string) =>
    `<i class="${className}" style="left:${pct(at(start(first)))};width:${pct(at(end(last)) - at(start(first)))}"></i>`;
  const rows = folds.map((fold, i) => {
    const { trainFrom, trainTo, testFrom, testTo } = fold;
    const story = `train ${trainFrom} to ${trainTo}, test ${testFrom} to ${testTo}`;
    const outcome = isLowBetter(by) ? '' : ` class="${(fold.outOfSample ?? 0) > 0 ? 'gain' : 'loss'}"`;
    const mark = fold.trainTrades < walk.minTrades ? '*' : '';
    return `<tr><th scope="row">${i + 1}</th><td class="span" title="${escapeHtml(story)}"><span class="spoken">${escapeHtml(story)}</span><span class="strip">${bar('train', trainFrom, trainTo)}${bar('test', testFrom, testTo)}</span></td><td>${numberText(metricText(by, fold.inSample))}</td><td${outcome}>${numberText(metricText(by, fold.outOfSample))}</td><td>${numberText(percent(fold.totalReturn, 1))}</td><td>${numberText(percent(fold.marketReturn, 1))}</td><td>${count(fold.trades)}</td><td>${count(fold.run)}${mark}</td></tr>`;
  });
  const metric = escapeHtml(label(by));
  const table = `<table class="folds"><caption class="spoken">Folds of the walk-forward on ${escapeHtml(name)}</caption><thead><tr><th scope="col">Fold</th><th scope="col" class="span"><span class="axis">${ticks}</span><span class="spoken">Windows</span></th><th scope="col">${metric}<small>in sample</small></th><th scope="col">${metric}<small>out of sample</small></th><th scope="col">Return<small>out of sample</small></th><th scope="col">Market<small>held as long</small></th><th scope="col">Trades</th><th scope="col">Run</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>`;
  return `<h3 class="dataset">${escapeHtml(name)}</h3><p class="verdict">${escapeHtml(walkForwardWords(walk, market))}</p>
<ul class="legend"><li><i class="sign train" aria-hidden="true"></i>training window</li><li><i class="sign test" aria-hidden="true"></i>test window</li></ul>
${scrollTable('Walk-forward', table)}`;
}

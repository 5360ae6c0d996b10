import { chart, pct } from '../chart.js';
import { count, label, numberLabel, percent, plural } from '../format.js';
import { escapeHtml } from '../html.js';
import { linearBetween } from '../scale.js';
import { findNewestChoice, isLowBetter, metricText, metricWords } from './metric.js';
import type { SheetDataset, SweepSheet } from './sheet.js';

/**
 * Histogram of the ranking metric over all runs of a dataset. It marks the leader and the best that
 * luck alone would give in as many tries.
 */
export function metricHistogram(dataset: SheetDataset, by: SweepSheet['by'], id: string): string {
  const { name, distribution, honesty, leader } = dataset;
  if (distribution === null) return '';
  const { low, width, bins, runs, runsAboveZero, min, mean, max } = distribution;
  const high = low + width * bins.length;
  const words = (value: number) => metricText(by, value);
  const x = linearBetween(low, high, (value, digits) =>
    words(width).endsWith('%') ? percent(value, Math.max(0, digits - 2)) : numberLabel(Number(value.toFixed(digits))),
  );
  const most = Math.max(...bins);
  const y = linearBetween(0, most * 1.22, (value) => count(value));
  const bars = bins.map((n, i) => {
    if (n === 0) return '';
    const left = low + i * width;
    const range = `${i === 0 && min < low ? 'below' : `${words(left)} to`} ${words(left + width)}`;
    const text = i === bins.length - 1 && max > high ? `above ${words(left)}` : range;
    return `<rect class="${left + width / 2 < 0 ? 'under-zero' : 'over-zero'}" x="${pct(i / bins.length + 0.0008)}" width="${pct(1 / bins.length - 0.0016)}" y="${pct(1 - y.at(n))}" height="${pct(y.at(n))}"><title>${escapeHtml(`${text}: ${plural(n, 'run')}`)}</title></rect>`;
  });
  const best = leader?.metrics[by] ?? (isLowBetter(by) ? min : max);
  // A metric whose lower values are better is never below zero.
  const above = isLowBetter(by) ? null : percent(runsAboveZero / runs, 1);
  const lucky = by === 'sharpe_ratio' ? (honesty?.luckySharpe ?? null) : null;
  const marks = [
    bars.join(''),
    ...flags(
      [
        ['best', findNewestChoice(dataset) === null ? 'best' : 'newest choice', best],
        ...(lucky === null ? [] : [['lucky', 'expected best by luck', lucky] as const]),
      ],
      x.at,
      words,
    ),
  ];
  const beyond = min < low || max > high ? '; the outermost bars include all runs beyond' : '';
  return chart({
    id,
    title: `${name}: ${label(by)} of ${plural(runs, 'run')} that traded`,
    alternative: `Histogram of ${metricWords(label(by))} over ${plural(runs, 'run')} on ${name}: lowest ${words(min)}, mean ${words(mean)}, highest ${words(max)}${above === null ? '' : `, ${above} above zero`}, best ${words(best)}${lucky === null ? '' : `, expected best by luck ${words(lucky)}`}.`,
    legend: [
      {
        className: 'plain',
        text: `mean ${words(mean)}${above === null ? '' : `, ${above} of the runs above zero`}${beyond}`,
      },
    ],
    height: 'm',
    xTicks: x.ticks,
    yTicks: y.ticks.filter((tick, i, all) => tick.label !== all[i - 1]?.label && tick.at < 0.85),
    strokes: [],
    marks: marks.join(''),
    baseline: 0,
  });
}

type Flag = readonly [className: string, text: string, value: number];

/**
 * Marked values with their names, all on the side with more room. A name that would cross the other
 * line stands above it. Where one mark is far left and the other far right, each name turns to the
 * middle, so that none leaves a narrow picture.
 */
function flags(list: readonly Flag[], placeOf: (value: number) => number, words: (value: number) => string): string[] {
  const places = list.map(([, , value]) => Math.min(1, Math.max(0, placeOf(value))));
  const [least, most] = [Math.min(...places), Math.max(...places)];
  const isApart = least < 0.5 && most > 0.7;
  const isLeftward = (at: number): boolean => (isApart ? at > 0.5 : most > 0.55);
  const outer = most > 0.55 && !isApart ? most : least;
  return list.map(([className, text, value], i) => {
    // biome-ignore lint/style/noNonNullAssertion: each mark has one place
    const at = places[i]!;
    const row = at === outer ? 0 : 9;
    const isLeft = isLeftward(at);
    return `<line class="${className}" x1="${pct(at)}" x2="${pct(at)}" y1="${row}%" y2="100%"/><text class="flag ${className} ${isLeft ? 'left' : 'right'}" x="${pct(at)}" dx="${isLeft ? -6 : 6}" y="${row}%" dy=".9em">${escapeHtml(`${text} ${words(value)}`)}</text>`;
  });
}

import { chart, pct } from './chart.js';
import { count, money, percent, plural, signed } from './format.js';
import { escapeHtml } from './html.js';
import { linearBetween, niceStep } from './scale.js';
import type { SheetTrade } from './sheet.js';

interface Histogram {
  readonly width: number;
  /**
   * Bins of losses, nearest to zero first: `(-(i+1) width, -i width]`. The last bin at the limit
   * also holds all losses beyond it.
   */
  readonly losses: readonly number[];
  /**
   * Bins of wins, nearest to zero first: `(i width, (i+1) width]`. The last bin at the limit also
   * holds all wins beyond it.
   */
  readonly wins: readonly number[];
}

const BINS_MAX = 24; // on each side of zero

/**
 * Bins that meet at zero, so that no bin mixes wins and losses. Their width follows Freedman and
 * Diaconis, rounded.
 */
export function histogram(values: readonly number[]): Histogram {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  if (sorted.length === 0) return { width: 1, losses: [], wins: [] };
  // biome-ignore lint/style/noNonNullAssertion: sorted is not empty, and the index lies within it
  const at = (q: number) => sorted[Math.floor(q * (sorted.length - 1))]!;
  const spread = 2 * (at(0.75) - at(0.25)) || at(1) - at(0) || Math.abs(at(0)) || 0.01;
  const width = Math.max(
    niceStep(spread / Math.cbrt(sorted.length), 1),
    niceStep(Math.max(Math.abs(at(0.005)), Math.abs(at(0.995)), 1e-9) / BINS_MAX, 1),
  );
  const losses: number[] = [];
  const wins: number[] = [];
  for (const value of sorted) {
    const side = value > 0 ? wins : losses;
    const bin = value > 0 ? Math.ceil(value / width) - 1 : Math.floor(-value / width);
    const kept = Math.min(Math.max(bin, 0), BINS_MAX - 1);
    while (side.length <= kept) side.push(0);
    // biome-ignore lint/style/noNonNullAssertion: the loop above fills the bins up to this one
    side[kept] = side[kept]! + 1;
  }
  return { width, losses, wins };
}

export function distributionChart(trades: readonly SheetTrade[]): string {
  const values = trades.map(({ profit_loss_pct }) => profit_loss_pct);
  const { width, losses, wins } = histogram(values);
  const from = -Math.max(1, losses.length);
  const to = Math.max(1, wins.length);
  const most = Math.max(1, ...losses, ...wins);
  const y = linearBetween(0, most * 1.06, (value) => count(value));
  const x = linearBetween(from * width, to * width, (value, digits) =>
    signed(value, percent(value, Math.max(0, digits - 2))),
  );
  const bar = (left: number, n: number, className: string): string => {
    if (n === 0) return '';
    const at = x.at(left);
    const title = `${percent(left, 1)} to ${percent(left + width, 1)}: ${plural(n, 'trade')}`;
    return `<rect class="${className}" x="${pct(at + 0.001)}" width="${pct(1 / (to - from) - 0.002)}" y="${pct(1 - y.at(n))}" height="${pct(y.at(n))}"><title>${escapeHtml(title)}</title></rect>`;
  };
  const bars = [
    ...losses.map((n, i) => bar(-(i + 1) * width, n, 'lose')),
    ...wins.map((n, i) => bar(i * width, n, 'win')),
  ];
  const winCount = wins.reduce((sum, n) => sum + n, 0);
  const beyond =
    losses.length === BINS_MAX || wins.length === BINS_MAX ? ' (the outermost bars include all trades beyond)' : '';
  const sorted = [...values].sort((a, b) => a - b);
  return chart({
    id: 'distribution',
    title: `Profit and loss per trade${beyond}`,
    // biome-ignore lint/style/noNonNullAssertion: there are trades, and the indices lie within them
    alternative: `Histogram of profit and loss per trade: ${plural(values.length - winCount, 'loss').replace(/losss$/, 'losses')} left of zero, ${plural(winCount, 'win')} right of it, worst ${percent(sorted[0]!)}, median ${percent(sorted[Math.floor(sorted.length / 2)]!)}, best ${percent(sorted[sorted.length - 1]!)}.`,
    legend: [
      { className: 'lose', text: `losses, ${count(values.length - winCount)}` },
      { className: 'win', text: `wins, ${count(winCount)}` },
    ],
    height: 'm',
    xTicks: x.ticks,
    yTicks: y.ticks.filter(({ label }, i, all) => label !== all[i - 1]?.label),
    strokes: [],
    marks: `<defs><pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0V5"/></pattern></defs>${bars.join('')}<line class="base" x1="${pct(x.at(0))}" x2="${pct(x.at(0))}" y1="0" y2="100%"/>`,
    baseline: 0,
  });
}

/**
 * Per exit reason: number of trades, share with a profit, and profit and loss. Most frequent first.
 */
export function exitTable(trades: readonly SheetTrade[]): string {
  const reasons = new Map<string, { trades: number; wins: number; sum: number }>();
  for (const { exit_reason, profit_loss } of trades) {
    const row = reasons.get(exit_reason) ?? { trades: 0, wins: 0, sum: 0 };
    row.trades += 1;
    if (profit_loss > 0) row.wins += 1;
    row.sum += profit_loss;
    reasons.set(exit_reason, row);
  }
  const rows = [...reasons]
    .sort((a, b) => b[1].trades - a[1].trades)
    .map(([reason, row]) => {
      const name = meanings[reason] === undefined ? '' : `<small>${meanings[reason]}</small>`;
      return `<tr><th scope="row">${escapeHtml(reason)}${name}</th><td>${count(row.trades)}</td><td>${percent(row.wins / row.trades, 1)}</td><td>${signed(row.sum, money(row.sum))}</td><td>${signed(row.sum, money(row.sum / row.trades))}</td></tr>`;
    });
  return `<div class="scroll"><table class="pairs exits"><caption>Exits</caption><thead><tr><th scope="col">Reason</th>${['Trades', 'Wins', 'Profit and loss', 'Mean'].map((name) => `<th scope="col">${name}</th>`).join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;
}

const meanings: Readonly<Record<string, string>> = {
  SL: 'stop hit',
  TP: 'target hit',
  SIGNAL: 'exit rule',
  MAX_HOLD: 'maximum holding time reached',
  LOSS_TIMEOUT: 'held too long at a loss',
  PROFIT_TIMEOUT: 'held long enough at a profit',
  END: 'end of the data',
};

// biome-ignore-all lint/style/noNonNullAssertion: a sheet has bars, and every curve has one value per bar
import { sideResultTable } from '../engine/metrics/index.js';
import { chart } from './chart.js';
import { barAt } from './downsample.js';
import { count, day, figure, label, lastValue, money, plural, signed } from './format.js';
import { escapeHtml } from './html.js';
import { type Axis, line } from './overview.js';
import { extent, linearScale, timeTicks } from './scale.js';
import type { Figure, SheetTrade, TearSheet } from './sheet.js';

type Side = 'long' | 'short';

export const isOfSide = (side: Side) => (trade: SheetTrade) => (trade.side ?? 'long') === side;

/** Whether the strategy trades both sides, so that their results can be told apart. */
export const hasSides = ({ trades }: TearSheet): boolean => trades.some(({ side }) => side === 'short');

/** The names under which the figures of a side stand among the metrics. */
export const sideFigureNames: ReadonlySet<string> = new Set(
  (['long', 'short'] as const).flatMap((side) => Object.keys(sideResultTable).map((name) => `${side}_${name}`)),
);

/** Figures that are a gain or a loss. */
const gains: ReadonlySet<string> = new Set(['net_pnl', 'expectancy', 'avg_return']);

/** The results of longs and shorts side by side. */
export function sidesPanel(sheet: TearSheet, axis: Axis): string {
  return `${profitChart(sheet, axis)}<div class="two">${resultTable(sheet)}${exitsBySide(sheet.trades)}</div>`;
}

function resultTable({ extendedMetrics }: TearSheet): string {
  const text = (name: string, found: Figure | undefined): string => {
    if (found === undefined) return '';
    const plain = found.unit === 'trades' ? figure(found).replace(/ trades?$/, '') : figure(found);
    return gains.has(name) && found.value !== null ? signed(found.value, plain) : plain;
  };
  const rows = Object.entries(sideResultTable).flatMap(([name, { description }]) => {
    const [long, short] = (['long', 'short'] as const).map((side) => extendedMetrics[`${side}_${name}`]);
    if (long === undefined && short === undefined) return [];
    if ((long?.value ?? 0) === 0 && (short?.value ?? 0) === 0 && name !== 'trades') return [];
    const tone = (found: Figure | undefined) => {
      const value = found?.value ?? 0;
      if (!gains.has(name) || value === 0) return '';
      return value > 0 ? ' class="gain"' : ' class="loss"';
    };
    const cells = [long, short].map((found) => `<td${tone(found)}>${escapeHtml(text(name, found))}</td>`);
    return [
      `<tr><th scope="row">${escapeHtml(label(name))}<small>${escapeHtml(description)}</small></th>${cells.join('')}</tr>`,
    ];
  });
  if (rows.length === 0) return '';
  return `<div class="scroll"><table class="sides"><caption class="spoken">Results of longs and shorts</caption><thead><tr><th scope="col" class="text">Figure</th><th scope="col">Long</th><th scope="col">Short</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;
}

/** How the trades of each side ended. */
function exitsBySide(trades: readonly SheetTrade[]): string {
  const reasons = [...new Set(trades.map(({ exit_reason }) => exit_reason))];
  const counted = reasons.map((reason) => {
    const of = (side: Side) => trades.filter((trade) => trade.exit_reason === reason && isOfSide(side)(trade)).length;
    return { reason, long: of('long'), short: of('short') };
  });
  const rows = counted
    .sort((a, b) => b.long + b.short - a.long - a.short)
    .map(
      ({ reason, long, short }) =>
        `<tr><th scope="row">${escapeHtml(reason)}</th><td>${count(long)}</td><td>${count(short)}</td></tr>`,
    );
  return `<div class="scroll"><table class="sides"><caption class="spoken">Exits of longs and shorts</caption><thead><tr><th scope="col" class="text">Exits</th><th scope="col">Long</th><th scope="col">Short</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

/** Sum of the closed profits of a side at each bar. */
export function closedProfit({ trades, bars }: TearSheet, side: Side): Float64Array {
  const sum = new Float64Array(bars.time.length);
  for (const trade of trades.filter(isOfSide(side))) {
    const bar = barAt(bars.time, trade.exit_time);
    sum[bar] = sum[bar]! + trade.profit_loss;
  }
  for (let i = 1; i < sum.length; i++) sum[i] = sum[i]! + sum[i - 1]!;
  return sum;
}

function profitChart(sheet: TearSheet, axis: Axis): string {
  const { trades } = sheet;
  const [long, short] = [closedProfit(sheet, 'long'), closedProfit(sheet, 'short')];
  const [low, high] = extent(long, short);
  const scale = linearScale(Math.min(low, 0), Math.max(high, 0));
  const [ofLong, ofShort] = [lastValue(long), lastValue(short)];
  const counts = (side: Side) => plural(trades.filter(isOfSide(side)).length, 'trade');
  return chart({
    id: 'profit-by-side',
    title: 'Closed profit of longs and shorts',
    alternative: `Line chart of the closed profit: longs ${money(ofLong)} from ${counts('long')}, shorts ${money(ofShort)} from ${counts('short')}, by ${day(axis.endMs)}.`,
    legend: [
      { className: 'long', text: `long, ${signed(ofLong, money(ofLong))}` },
      { className: 'short', text: `short, ${signed(ofShort, money(ofShort))}` },
    ],
    height: 's',
    xTicks: timeTicks(axis.startMs, axis.endMs),
    yTicks: scale.ticks,
    strokes: [
      { className: 'long', path: line(axis, scale, long) },
      { className: 'short', path: line(axis, scale, short) },
    ],
    isOverTime: true,
    baseline: scale.at(0),
  });
}

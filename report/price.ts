// biome-ignore-all lint/style/noNonNullAssertion: a sheet has bars, and every slot lies within the counts
import { chart, pct, sign } from './chart.js';
import { COLUMNS, linePath, ROWS, rangePath } from './downsample.js';
import { amount, count, day, lastValue, minute, money, percent, plural, signed } from './format.js';
import { escapeHtml } from './html.js';
import type { Axis } from './overview.js';
import type { MarksData } from './page-data.js';
import { extent, linearBetween, linearScale, type Scale, timeTicks, valueScale } from './scale.js';
import type { SheetTrade, TearSheet } from './sheet.js';
import { hasSides, isOfSide } from './sides.js';

/**
 * Up to this number every trade has its own markers. With more, markers would hide each other, so
 * the chart shows counts per slot of time.
 */
export const MARKED_TRADES_MAX = 400;
const SLOTS = 150;

export function priceCharts(sheet: TearSheet, axis: Axis): string {
  const { bars, trades, asset } = sheet;
  const overlays = sheet.indicators.filter(({ isPrice }) => isPrice);
  const [low, high] = extent(bars.low, bars.high);
  const scale = valueScale(low, high);
  const isMarked = trades.length > 0 && trades.length <= MARKED_TRADES_MAX;
  const marked = isMarked ? trades : [];
  const curve = { ...axis, at: scale.at };
  const main = chart({
    id: 'price',
    title: `${asset}${scale.isLog ? ', log scale' : ''}`,
    alternative: `Price of ${asset} from ${money(bars.open[0]!)} on ${day(axis.startMs)} to ${money(lastValue(bars.close))} on ${day(axis.endMs)}, lowest ${money(low)}, highest ${money(high)}, with ${plural(trades.length, 'trade')}. The trades table has every entry and exit.`,
    legend: [
      { className: 'range', text: 'high to low' },
      { className: 'close', text: 'close' },
      ...overlays.map(({ name }, i) => ({ className: `run${(i % 6) + 1}`, text: name })),
      ...markLegend(trades, isMarked),
    ],
    height: 'l',
    xTicks: timeTicks(axis.startMs, axis.endMs),
    yTicks: scale.ticks,
    strokes: [
      { className: 'range', path: rangePath({ ...curve, values: bars.low }, bars.high) },
      { className: 'close', path: linePath({ ...curve, values: bars.close }) },
      ...overlays.map(({ values }, i) => ({ className: `run${(i % 6) + 1}`, path: linePath({ ...curve, values }) })),
      ...(['stop', 'target'] as const).flatMap((kind) => {
        const path = marked.map((trade) => stepPath(trade, kind, axis, scale)).join('');
        return path === '' ? [] : [{ className: kind, path }];
      }),
    ],
    isOverTime: true,
    marks: marked.map((trade, i) => tradeMarks(trade, i, axis, scale)).join(''),
  });
  const beside = indicatorCharts(sheet, axis);
  return isMarked || trades.length === 0 ? main + beside : main + lanes(sheet, axis) + beside;
}

/** The indicators that are no prices, each in a chart of its own. */
function indicatorCharts({ indicators }: TearSheet, axis: Axis): string {
  const others = indicators.filter(({ isPrice }) => !isPrice);
  return others
    .map(({ name, values }, i) => {
      const known = values.filter(Number.isFinite);
      if (known.length === 0) return '';
      const [low, high] = extent(known);
      const scale = linearScale(low, high);
      return chart({
        id: `indicator-${i + 1}`,
        title: name,
        alternative: `Line chart of ${name}: between ${amount(low)} and ${amount(high)}, at the end ${amount(lastValue(known))}.`,
        height: 's',
        xTicks: timeTicks(axis.startMs, axis.endMs),
        yTicks: scale.ticks,
        strokes: [{ className: 'strategy', path: linePath({ ...axis, values, at: scale.at }) }],
        isOverTime: true,
      });
    })
    .join('');
}

/** The edges of the price chart, where its trades are too many to be marked at once. */
export function marksData({ bars, trades }: TearSheet): MarksData | null {
  if (trades.length <= MARKED_TRADES_MAX) return null;
  const { at, isLog } = valueScale(...extent(bars.low, bars.high));
  const [first, second] = isLog ? [1, Math.E] : [0, 1];
  const span = 1 / (at(second) - at(first));
  const from = -at(first) * span;
  return isLog
    ? { bottom: Math.exp(from), top: Math.exp(from + span), isLog }
    : { bottom: from, top: from + span, isLog };
}

/** @param isDrawn whether each trade is drawn with its levels; otherwise its fills appear as the reader zooms in */
function markLegend(trades: readonly SheetTrade[], isDrawn: boolean) {
  if (trades.length === 0) return [];
  const hasShorts = trades.some(({ side }) => side === 'short');
  const given = (is: boolean, className: string, text: string) => (is ? [{ className, text }] : []);
  return [
    { className: 'up', text: hasShorts ? 'long entry' : 'entry' },
    ...given(hasShorts, 'sold', 'short entry'),
    { className: 'down', text: 'exit with a profit' },
    { className: 'cross', text: 'exit with a loss' },
    ...given(trades.some(isLiquidated), 'liquidated', 'liquidation'),
    ...given(
      isDrawn && trades.some(({ events = [] }) => events.some(({ kind }) => kind === 'part')),
      'part',
      'part sold',
    ),
    ...given(isDrawn, 'stop', 'stop'),
    ...given(isDrawn, 'target', 'target'),
  ];
}

const isLiquidated = ({ exit_reason }: SheetTrade): boolean => exit_reason === 'LIQUIDATION';

/** A level that moved, as steps in the pixels of the plot; empty for one that stayed or that nothing tells. */
function stepPath(trade: SheetTrade, kind: 'stop' | 'target', axis: Axis, scale: Scale): string {
  const steps = levelSteps(trade, kind);
  if (steps.length < 2) return '';
  const x = (ms: number) => (COLUMNS * place(ms, axis)).toFixed(1);
  const y = (price: number) => (ROWS * (1 - Math.min(1, Math.max(0, scale.at(price))))).toFixed(1);
  const [first, ...rest] = steps;
  const moves = rest.map(({ time, price }) => `H${x(time)}${price === null ? '' : `V${y(price)}`}`);
  return `M${x(first!.time)} ${y(first!.price ?? trade.entry_price)}${moves.join('')}H${x(trade.exit_time)}`;
}

/** Stop or target of a trade from its entry on, wherever it changed. */
const levelSteps = ({ events = [] }: SheetTrade, kind: 'stop' | 'target') =>
  events.filter((event) => event.kind === kind && (event.price !== null || kind === 'target'));

const place = (ms: number, { startMs, endMs }: Axis): number =>
  endMs > startMs ? Math.min(1, Math.max(0, (ms - startMs) / (endMs - startMs))) : 0.5;

/**
 * Draws stop and target only where they lie inside the chart; the close-up shows the others. The
 * price axis is not stretched for them.
 */
function tradeMarks(trade: SheetTrade, index: number, axis: Axis, scale: Scale): string {
  const from = place(trade.entry_time, axis);
  const to = place(trade.exit_time, axis);
  const level = (price: number | null, className: string): string => {
    const at = price === null ? Number.NaN : scale.at(price);
    if (!(at >= 0 && at <= 1)) return '';
    return `<line class="${className}" x1="${pct(from)}" x2="${pct(to)}" y1="${pct(1 - at)}" y2="${pct(1 - at)}"/>`;
  };
  const isWin = trade.profit_loss > 0;
  const isShort = trade.side === 'short';
  const fixed = (kind: 'stop' | 'target', price: number | null): string =>
    levelSteps(trade, kind).length > 1 ? '' : level(price, kind);
  const parts = (trade.events ?? []).filter(({ kind }) => kind === 'part');
  const signs = [
    isShort
      ? sign('down', from, scale.at(trade.entry_price), 'entry short')
      : sign('up', from, scale.at(trade.entry_price), 'entry'),
    ...parts.map(({ time, price }) => sign('diamond', place(time, axis), scale.at(price ?? Number.NaN), 'part')),
    isLiquidated(trade)
      ? sign('cross', to, Math.min(1, Math.max(0, scale.at(trade.exit_price))), 'lost liquidated')
      : sign(isWin ? (isShort ? 'up' : 'down') : 'cross', to, scale.at(trade.exit_price), isWin ? 'won' : 'lost'),
  ];
  const title = `#${index + 1}${isShort ? ' short' : ''}, ${minute(trade.entry_time)} to ${minute(trade.exit_time)}, ${trade.exit_reason}, ${signed(trade.profit_loss_pct, percent(trade.profit_loss_pct))}`;
  return `<g data-trade="${index}"><title>${escapeHtml(title)}</title>${fixed('stop', trade.stop_price)}${fixed('target', trade.target_price)}${signs.join('')}</g>\n`;
}

/** The trades of the run, or of each side, by time. */
function lanes(sheet: TearSheet, axis: Axis): string {
  const { trades } = sheet;
  if (!hasSides(sheet)) return laneChart(trades, 'Trades', 'lane', axis);
  return (
    laneChart(trades.filter(isOfSide('long')), 'Longs', 'lane', axis) +
    laneChart(trades.filter(isOfSide('short')), 'Shorts', 'lane-short', axis)
  );
}

/** Trades closed per slot of time: wins upward, losses downward. */
function laneChart(trades: readonly SheetTrade[], what: string, id: string, axis: Axis): string {
  const wins = new Float64Array(SLOTS);
  const losses = new Float64Array(SLOTS);
  for (const trade of trades) {
    const slot = Math.min(SLOTS - 1, Math.floor(place(trade.exit_time, axis) * SLOTS));
    const side = trade.profit_loss > 0 ? wins : losses;
    side[slot] = (side[slot] ?? 0) + 1;
  }
  const scale = linearBetween(-extent(losses)[1] * 1.05 - 0.5, extent(wins)[1] * 1.05 + 0.5, (value) =>
    count(Math.abs(value)),
  );
  const bar = (slot: number, value: number, className: string): string => {
    const top = scale.at(Math.max(value, 0));
    const height = top - scale.at(Math.min(value, 0));
    return `<rect class="${className}" x="${pct(slot / SLOTS)}" width="${pct(0.8 / SLOTS)}" y="${pct(1 - top)}" height="${pct(height)}"/>`;
  };
  const marks: string[] = [];
  for (const [slot, won] of wins.entries()) if (won > 0) marks.push(bar(slot, won, 'win'));
  for (const [slot, lost] of losses.entries()) if (lost > 0) marks.push(bar(slot, -lost, 'loss-slot'));
  return chart({
    id,
    title: `${what} closed, wins up and losses down`,
    alternative: `Bars of the ${what.toLowerCase()} closed in each of ${SLOTS} slots of time, wins above the line, losses below; at most ${count(extent(wins)[1])} and ${count(extent(losses)[1])}.`,
    height: 's',
    xTicks: timeTicks(axis.startMs, axis.endMs),
    yTicks: scale.ticks.filter(({ label }) => !label.includes('.')),
    strokes: [],
    isOverTime: true,
    marks: marks.join(''),
    baseline: scale.at(0),
  });
}

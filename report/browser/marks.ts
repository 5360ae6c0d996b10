import type { MarksData } from '../page-data.js';
import { draw, find } from './page.js';
import type { Trades } from './trades.js';

/** With more trades in view, marks would hide each other. */
const MARKS_MAX = 400;

/** The part of the time axis that is shown, as fractions of the whole. */
interface Span {
  readonly from: number;
  readonly to: number;
}

const UP = 'M0 2 4.5 10H-4.5Z';
const DOWN = 'M0-2 4.5-10H-4.5Z';
const CROSS = 'M-3.5-3.5 3.5 3.5M3.5-3.5-3.5 3.5';
const pct = (share: number): string => `${(100 * share).toFixed(4)}%`;

/**
 * Marks entries and exits over the price wherever few enough trades are in view.
 * @returns to be called with the part of the axis that is shown
 */
export function startMarks(
  trades: Trades,
  { bottom, top, isLog }: MarksData,
  axis: { readonly startMs: number; readonly endMs: number },
): (span: Span) => void {
  const field = find(SVGSVGElement, '#price .field');
  const length = axis.endMs - axis.startMs || 1;
  const x = (seconds: number): number => (1000 * seconds - axis.startMs) / length;
  const y = (price: number): number => {
    const at = isLog ? Math.log(price / bottom) / Math.log(top / bottom) : (price - bottom) / (top - bottom);
    return 1 - Math.min(1, Math.max(0, at));
  };
  const spans = Array.from({ length: trades.count }, (_, trade) => ({
    trade,
    from: x(trades.number(trade, 'entry_time')),
    to: x(trades.number(trade, 'exit_time')),
  }));
  const mark = (trade: number, at: number, price: number, shape: string, className: string): SVGElement => {
    const placed = draw('svg', { class: `mark ${className}`, x: pct(at), y: pct(y(price)), 'data-trade': trade });
    placed.append(draw('path', { d: shape }));
    return placed;
  };
  const marks = ({ trade, from, to }: (typeof spans)[number]): SVGElement[] => {
    const isShort = trades.isShort(trade);
    const isWin = trades.isGain(trade);
    const isLiquidated = trades.text(trade, 'exit_reason') === 'LIQUIDATION';
    const [enters, leaves] = isShort ? [DOWN, UP] : [UP, DOWN];
    const lost = isLiquidated ? 'lost liquidated' : 'lost';
    return [
      mark(trade, from, trades.number(trade, 'entry_price'), enters, isShort ? 'entry short' : 'entry'),
      mark(trade, to, trades.number(trade, 'exit_price'), isWin ? leaves : CROSS, isWin ? 'won' : lost),
    ];
  };
  const drawn = draw('g', { class: 'marks' });
  field.append(drawn);
  return ({ from, to }) => {
    const inView = spans.filter((one) => one.to >= from && one.from <= to);
    drawn.replaceChildren(...(inView.length > MARKS_MAX ? [] : inView.flatMap(marks)));
  };
}

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Trade } from '../../engine/execution/index.js';
import { count, minute, money, percent, signed } from '../../report/format.js';

interface TradesTableProps {
  readonly trades: readonly Trade[];
  /** Opens of the bars of the run. */
  readonly time: Float64Array;
  readonly picked: number | null;
  readonly onPick: (trade: number) => void;
}

const ROW_PX = 26;
const ROWS_SEEN = 12;

/** All trades, of which only the rows in sight are drawn. Arrow keys go from one to the next. */
export function TradesTable({ trades, time, picked, onPick }: TradesTableProps) {
  const scroller = useRef<HTMLElement>(null);
  const [top, setTop] = useState(0);
  useEffect(() => {
    const element = scroller.current;
    if (element === null || picked === null) return;
    const at = picked * ROW_PX;
    if (at < element.scrollTop || at > element.scrollTop + (ROWS_SEEN - 2) * ROW_PX)
      element.scrollTop = at - 4 * ROW_PX;
  }, [picked]);
  const first = Math.max(0, Math.floor(top / ROW_PX) - 4);
  const seen = trades.slice(first, first + ROWS_SEEN + 8);
  const step = (by: number): void => onPick(Math.min(trades.length - 1, Math.max(0, (picked ?? -1) + by)));
  return (
    <section
      class="trades"
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and its keys go through the trades
      tabIndex={0}
      aria-label={`${count(trades.length)} trades; arrow keys go through them`}
      style={{ maxHeight: `${ROW_PX * ROWS_SEEN}px` }}
      onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
      onKeyDown={(event) => {
        const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        step(by);
      }}
    >
      <table>
        <thead>
          <tr>
            <th>#</th>
            <th>side</th>
            <th>entry (UTC)</th>
            <th>price</th>
            <th>exit (UTC)</th>
            <th>price</th>
            <th>why</th>
            <th>bars</th>
            <th>profit</th>
            <th>of entry</th>
          </tr>
        </thead>
        <tbody>
          {first > 0 && <tr style={{ height: `${first * ROW_PX}px` }} />}
          {seen.map((trade, k) => {
            const i = first + k;
            return (
              <tr
                key={i}
                class={i === picked ? 'picked' : undefined}
                aria-selected={i === picked}
                onClick={() => onPick(i)}
              >
                <td>{i + 1}</td>
                <td>{trade.details?.side ?? 'long'}</td>
                <td title={local(time[trade.entryBar])}>{minute(time[trade.entryBar] ?? Number.NaN)}</td>
                <td>{money(trade.entryPrice)}</td>
                <td title={local(time[trade.exitBar])}>{minute(time[trade.exitBar] ?? Number.NaN)}</td>
                <td>{money(trade.exitPrice)}</td>
                <td>{trade.exitReason}</td>
                <td>{count(trade.barsHeld)}</td>
                <td class={trade.profitLoss > 0 ? 'up' : 'down'}>
                  {signed(trade.profitLoss, money(trade.profitLoss))}
                </td>
                <td class={trade.profitLoss > 0 ? 'up' : 'down'}>
                  {signed(trade.profitLossPct, percent(trade.profitLossPct))}
                </td>
              </tr>
            );
          })}
          <tr style={{ height: `${Math.max(0, trades.length - first - seen.length) * ROW_PX}px` }} />
        </tbody>
      </table>
    </section>
  );
}

const local = (ms = Number.NaN): string => (Number.isNaN(ms) ? '' : `${new Date(ms).toLocaleString()} local time`);

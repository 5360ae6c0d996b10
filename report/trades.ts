import { type CellKind, cellClass, cellText, isTextual, short } from './cell.js';
import { count } from './format.js';
import { escapeHtml, scrollTable } from './html.js';
import { PAGE_ROWS, type TradeColumn } from './page-data.js';
import type { SheetTrade, TearSheet, TradeKey } from './sheet.js';

/** Most trades that the page holds; a longer list belongs in a file. */
export const TRADES_MAX = 20_000;

interface Column {
  readonly key: TradeKey;
  readonly title: string;
  readonly kind: CellKind;
}

const columns: readonly Column[] = [
  { key: 'entry_time', title: 'Entry, UTC', kind: 'time' },
  { key: 'exit_time', title: 'Exit, UTC', kind: 'time' },
  { key: 'side', title: 'Side', kind: 'text' },
  { key: 'profit_loss', title: 'P&L', kind: 'gain' },
  { key: 'profit_loss_pct', title: 'P&L %', kind: 'gainPercent' },
  { key: 'exit_reason', title: 'Exit', kind: 'text' },
  { key: 'bars_held', title: 'Bars', kind: 'count' },
  { key: 'entry_price', title: 'Entry price', kind: 'price' },
  { key: 'exit_price', title: 'Exit price', kind: 'price' },
  { key: 'stop_price', title: 'Stop', kind: 'price' },
  { key: 'target_price', title: 'Target', kind: 'price' },
  { key: 'size', title: 'Size', kind: 'size' },
  { key: 'fees', title: 'Fees', kind: 'amount' },
  { key: 'mae', title: 'MAE', kind: 'percent' },
  { key: 'mfe', title: 'MFE', kind: 'percent' },
  { key: 'first_stop', title: 'First stop', kind: 'price' },
  { key: 'margin', title: 'Margin', kind: 'amount' },
  { key: 'return_on_margin', title: 'On margin', kind: 'gainPercent' },
  { key: 'liquidation_price', title: 'Liquidation', kind: 'price' },
];

/** Shown only if some trade has them. */
const optional: ReadonlySet<TradeKey> = new Set([
  ...(['mae', 'mfe', 'side', 'first_stop', 'margin', 'return_on_margin', 'liquidation_price'] as const),
]);

const columnsFor = (trades: readonly SheetTrade[]): readonly Column[] =>
  columns.filter(({ key }) => !optional.has(key) || trades.some((trade) => trade[key] !== undefined));

export function tradesTable(trades: readonly SheetTrade[], digits: number): string {
  const shown = columnsFor(trades);
  const head = [{ title: '#', kind: 'count' } as const, ...shown].map(
    ({ title, kind }) => `<th scope="col" class="${isTextual(kind) ? 'text' : 'number'}">${escapeHtml(title)}</th>`,
  );
  const rows = trades.slice(0, PAGE_ROWS).map((trade, i) => {
    const cells = shown.map(({ key, kind }) => {
      const className = cellClass(kind, trade.profit_loss > 0);
      const attribute = className === '' ? '' : ` class="${className}"`;
      return `<td${attribute}>${escapeHtml(cellText(trade[key], kind, digits))}</td>`;
    });
    return `<tr><th scope="row">${i + 1}</th>${cells.join('')}</tr>`;
  });
  const first = trades.length > PAGE_ROWS ? `First ${PAGE_ROWS} of ${count(trades.length)} trades` : 'All trades';
  const table = `<table><caption class="spoken">${first}, in closing order</caption><thead><tr>${head.join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table>`;
  return `<div class="controls control-row" id="pager" hidden><output aria-live="polite"></output>
<button type="button" class="control" data-page="first">First</button><button type="button" class="control" data-page="back">Back</button><button type="button" class="control" data-page="next">Next</button><button type="button" class="control" data-page="last">Last</button></div>
${scrollTable('Trades', table, 'tall trades')}
<p class="note" id="trades-note">${trades.length > PAGE_ROWS ? `${escapeHtml(first)}.` : ''}</p>`;
}

/** The trades as columns for the script. Times are seconds. */
export function tradeColumns({ trades }: TearSheet): TradeColumn[] {
  const kept = trades.slice(0, TRADES_MAX);
  return columnsFor(kept).map(({ key, kind, title }) => ({
    key,
    kind,
    title,
    values: kept.map((trade) => {
      const value = trade[key];
      if (kind === 'time') return (value as number) / 1000;
      return typeof value === 'number' ? (Number.isFinite(value) ? short(value) : null) : (value ?? null);
    }),
  }));
}

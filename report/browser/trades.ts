import { cellText } from '../cell.js';
import type { TradeColumn, TradesData } from '../page-data.js';

/** The trades of the page, by column. */
export class Trades {
  readonly columns: readonly TradeColumn[];
  readonly count: number;
  /** Decimals of a price. */
  readonly digits: number;
  readonly #byKey: ReadonlyMap<string, TradeColumn>;

  constructor({ columns, digits }: Pick<TradesData, 'columns' | 'digits'>) {
    this.columns = columns;
    this.count = columns[0].values.length;
    this.digits = digits;
    this.#byKey = new Map(columns.map((column) => [column.key, column]));
  }

  /** NaN if the trade has no such number. */
  number(trade: number, key: TradeColumn['key']): number {
    const value = this.#byKey.get(key)?.values[trade];
    return typeof value === 'number' ? value : Number.NaN;
  }

  /** The value as the table shows it. */
  text(trade: number, key: TradeColumn['key']): string {
    const column = this.#byKey.get(key);
    return column === undefined ? '' : this.cell(trade, column);
  }

  cell(trade: number, { kind, values }: TradeColumn): string {
    const value = values[trade];
    return cellText(kind === 'time' && typeof value === 'number' ? value * 1000 : value, kind, this.digits);
  }

  isShort(trade: number): boolean {
    return this.#byKey.get('side')?.values[trade] === 'short';
  }

  isGain(trade: number): boolean {
    return this.number(trade, 'profit_loss') > 0;
  }

  /** The trade with the highest profit; the first one on a tie. */
  best(): number {
    let best = 0;
    for (let trade = 1; trade < this.count; trade++) {
      if (this.number(trade, 'profit_loss') > this.number(best, 'profit_loss')) best = trade;
    }
    return best;
  }
}

import { EngineError } from '../../engine/errors.js';
import { parseNumber } from './number-cells.js';
import { detectTimeFormat } from './time-cells.js';

interface Cells {
  readonly cells: readonly string[];
  readonly line: number;
}

const priceNames: readonly string[] = ['price', 'px', 'rate', 'bid', 'bid_price', 'bidprice'];
const sizeNames: readonly string[] = [
  ...['qty', 'quantity', 'amount', 'size', 'volume', 'vol', 'base_qty', 'side', 'ask', 'ask_price', 'askprice'],
];
const barNames: readonly string[] = ['open', 'o', 'high', 'h', 'low', 'l'];

/**
 * Refuses a file of single trades or quotes, which looks much like one of bars: a header with a
 * price and a size and without open, high and low, or rows of an exchange's dump of trades.
 *
 * @param records the first lines of the file
 * @throws INVALID_DATA saying what the file is
 */
export function refuseTrades(records: readonly Cells[], place: (line: number) => string): void {
  const header = records.find(({ cells }) => namesTrades(cells));
  const [row] = records;
  const found = header ?? (row !== undefined && isDumpedTrade(row.cells) ? row : undefined);
  if (found === undefined) return;
  const fact = 'these seem single trades or quotes, not bars';
  throw new EngineError(
    'INVALID_DATA',
    `${place(found.line)}: ${fact}; make bars of them first (open, high, low, close, volume of each minute or longer)`,
  );
}

function namesTrades(cells: readonly string[]): boolean {
  const names = cells.map((cell) =>
    cell
      .trim()
      .replaceAll('"', '')
      .replace(/^<(.*)>$/, '$1')
      .toLowerCase(),
  );
  const has = (list: readonly string[]) => names.some((each) => list.includes(each));
  return has(priceNames) && has(sizeNames) && !has(barNames);
}

/**
 * `id, price, quantity, quote quantity, time, is buyer maker, ...` or `id, price, quantity, first
 * id, last id, time, is buyer maker, ...`, and `time, price, volume`.
 */
function isDumpedTrade(cells: readonly string[]): boolean {
  const flags = cells.filter((cell) => /^(true|false)$/i.test(cell.trim())).length;
  const isTime = (index: number) => detectTimeFormat(cells[index]?.trim() ?? '') !== null;
  if (flags > 0 && /^\d+$/.test(cells[0]?.trim() ?? '') && (isTime(4) || isTime(5))) return true;
  const isNumber = (cell: string) => !Number.isNaN(parseNumber(cell));
  return cells.length === 3 && isTime(0) && cells.slice(1).every(isNumber);
}

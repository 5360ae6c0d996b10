import { EngineError, quote } from '../../engine/errors.js';
import { clip } from '../../engine/text.js';

/** Usual names of the column that says whose row it is. */
const surelySymbols: readonly string[] = ['symbol', 'ticker', 'tic'];
const maybeSymbols: readonly string[] = ['pair', 'instrument', 'instrument_id', 'asset', 'sym'];

/** What a user says about the symbols of a file. */
export interface SymbolChoice {
  /** The symbol to read, where a file has rows of several. */
  readonly symbol?: string | undefined;
  /** The column of symbols, where it has no usual name. */
  readonly assetColumn?: string | undefined;
}

/** More are no symbols. */
const SYMBOLS_MAX = 1_000;

/**
 * The column of symbols among the names of a file, or undefined.
 * @param isText whether the column at an index holds text; one of another usual name must
 * @throws INVALID_DATA when the user names a column, or a symbol, that the file lacks
 */
export function findSymbolColumn(
  names: readonly string[],
  where: string,
  isText: (index: number) => boolean,
  { symbol, assetColumn }: SymbolChoice,
): number | undefined {
  const folded = names.map((name) =>
    name
      .trim()
      .replace(/^<(.*)>$/, '$1')
      .toLowerCase(),
  );
  const wanted = assetColumn?.trim().toLowerCase();
  const found =
    wanted === undefined
      ? folded.findIndex((name, i) => surelySymbols.includes(name) || (maybeSymbols.includes(name) && isText(i)))
      : folded.indexOf(wanted);
  if (found !== -1) return found;
  const listed = names.map((name) => clip(quote(name), 40)).join(', ');
  if (wanted !== undefined) {
    throw new EngineError('INVALID_DATA', `${where}: no column ${quote(assetColumn)} of symbols, found ${listed}`);
  }
  if (symbol === undefined) return undefined;
  throw new EngineError(
    'INVALID_DATA',
    `${where}: no column of symbols to take ${quote(symbol)} from, found ${listed}; data import --asset-column NAME names it`,
  );
}

/** The symbols of rows; says which rows are read. */
export class SeenSymbols {
  readonly #seen = new Set<string>();
  readonly #wanted: string | undefined;
  readonly #name: string;

  /** @param name of the file, for messages */
  constructor(name: string, { symbol }: SymbolChoice) {
    this.#name = name;
    this.#wanted = symbol?.trim();
  }

  /** Whether a row of this symbol is read. A blank cell says nothing. */
  take(cell: string): boolean {
    const symbol = cell.trim();
    if (symbol !== '' && !this.#seen.has(symbol)) {
      if (this.#seen.size === SYMBOLS_MAX) {
        throw new EngineError('INVALID_DATA', `${this.#name}: must have at most ${SYMBOLS_MAX} symbols, has more`);
      }
      this.#seen.add(symbol);
    }
    return this.#wanted === undefined || symbol === this.#wanted;
  }

  list(): readonly string[] {
    return [...this.#seen].sort();
  }
}

/**
 * @param symbols of all files that are to be one series
 * @throws INVALID_DATA for several of which none was chosen, and for one that no row has
 */
export function checkSymbols(
  symbols: readonly string[],
  barCount: number,
  name: string,
  { symbol }: SymbolChoice,
): void {
  const listed = symbols
    .slice(0, 10)
    .map((each) => clip(each, 40))
    .join(', ');
  const all = symbols.length > 10 ? `${listed} and ${symbols.length - 10} more` : listed;
  if (symbol !== undefined && barCount === 0) {
    throw new EngineError('INVALID_DATA', `${name}: no row has the symbol ${quote(symbol)}, found ${all}`, { symbols });
  }
  if (symbol !== undefined || symbols.length < 2) return;
  const rule = `has rows of ${symbols.length} symbols, which are no single series: ${all}`;
  const flags = 'data import --symbol NAME takes one, --asset-column NAME stores each as an asset of its own';
  throw new EngineError('INVALID_DATA', `${name}: ${rule}; ${flags}`, { symbols });
}

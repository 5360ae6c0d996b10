import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Cell } from '../../data/corpus/index.js';
import type { ReadQuery } from './request.js';
import { invalid } from './values.js';

/**
 * Tokens that say where a query continues. They are signed, so a holder can only continue the same
 * query.
 */
export class PageTokens {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** @param position values of the last row of the page in the columns of the query's order */
  issue(orgId: string, query: ReadQuery, position: readonly Cell[]): string {
    const content = Buffer.from(JSON.stringify([queryDigest(orgId, query), position.map(packed)])).toString(
      'base64url',
    );
    return `${content}.${this.#sign(content).toString('base64url')}`;
  }

  /**
   * @throws INVALID_FIELD for a token that is damaged, forged, or of another query or organization
   */
  read(token: string, orgId: string, query: ReadQuery): readonly Cell[] {
    const [content = '', signature = '', ...rest] = token.split('.');
    const given = Buffer.from(signature, 'base64url');
    const expected = this.#sign(content);
    const isOurs = rest.length === 0 && given.length === expected.length && timingSafeEqual(given, expected);
    // Several base64 texts decode to the same bytes; only the issued text is accepted.
    if (!isOurs || given.toString('base64url') !== signature) {
      throw invalid('page_token', 'page_token was not issued by this server, or is damaged');
    }
    const [digest, position] = JSON.parse(Buffer.from(content, 'base64url').toString()) as [string, unknown[]];
    if (digest !== queryDigest(orgId, query)) {
      throw invalid('page_token', 'page_token belongs to another query: send it with the query that returned it');
    }
    return position.map(unpacked);
  }

  #sign(content: string): Buffer {
    return createHmac('sha256', this.#secret).update(content).digest();
  }
}

/** JSON cannot write infinite numbers and NaN. */
const packed = (cell: Cell): unknown =>
  typeof cell === 'number' && !Number.isFinite(cell) ? { number: String(cell) } : cell;
const unpacked = (cell: unknown): Cell =>
  typeof cell === 'object' && cell !== null ? Number((cell as { number: string }).number) : (cell as Cell);

function queryDigest(orgId: string, { table, select, filters, orderBy, limit }: ReadQuery): string {
  const parts = [
    orgId,
    table,
    select.map(({ name }) => name),
    filters.map(({ column, operator, values }) => [column.name, operator, values]),
    orderBy.map(({ column, isDescending }) => [column.name, isDescending]),
    limit,
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

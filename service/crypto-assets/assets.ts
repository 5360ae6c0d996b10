import type { AssetSource } from '../../data/upstreams/assets/index.js';
import type { Sourced } from '../../data/upstreams/index.js';
import { wrongValue } from '../api-error.js';
import { provenanceFields } from '../provenance.js';
import { readInteger } from '../read-fields.js';
import type { AssetBook } from './book.js';
import { type AssetRecord, assetRecord, exchangeRecord } from './records.js';
import type { CryptoAssetRow } from './store.js';

interface ListRequest {
  /** True: only approved assets. False: only others. */
  readonly approved?: boolean;
  /** The older name of `approved: true`. */
  readonly approved_only?: boolean;
  readonly min_score?: number;
  readonly limit?: number;
}

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 1_000;
const SCORE_MAX = 100;

/** Assets with their risk, by overall score, the best first. */
export class CryptoAssets {
  constructor(
    private readonly book: AssetBook,
    private readonly source: Pick<AssetSource, 'exchanges'>,
  ) {}

  /** Short records for a choice; only approved assets, unless asked otherwise. */
  async query({ approved_only: approvedOnly = true, ...request }: ListRequest) {
    const { assets, ...rest } = await this.all({ ...request, approved_only: approvedOnly });
    const short = assets.map(({ symbol, name, overall_risk_score, is_approved, risk_scores }) => ({
      symbol,
      name,
      overall_risk_score,
      is_approved,
      risk_scores,
    }));
    return { ...rest, assets: short };
  }

  async all(request: ListRequest) {
    const limit = readInteger('limit', request.limit, { min: 1, max: LIMIT_MAX, ifAbsent: LIMIT_DEFAULT });
    const minScore = readScore(request.min_score ?? 0);
    const approved = request.approved ?? (request.approved_only === true ? true : null);
    const listed = await this.book.all();
    const assets = listed.value
      .map(({ value }) => assetRecord(value))
      .filter((asset) => asset.overall_risk_score >= minScore && (approved === null || asset.is_approved === approved))
      .sort(byScore)
      .slice(0, limit);
    return { count: assets.length, approved, min_score: minScore, limit, assets, ...listOrigin(listed) };
  }

  /** All approved assets. */
  async approved() {
    const { approved: _, min_score: __, limit: ___, ...rest } = await this.all({ approved: true, limit: LIMIT_MAX });
    return rest;
  }

  /** @throws ApiError RESOURCE_NOT_FOUND */
  async get(symbol: string) {
    const row = await this.book.get(symbol);
    return { asset: assetRecord(row.value), ...provenanceFields(row) };
  }

  /** @throws ApiError RESOURCE_NOT_FOUND */
  async listExchanges(symbol: string) {
    const row = await this.book.get(symbol);
    const { symbol: known, profile } = row.value;
    const exchanges = profile.exchanges.map(exchangeRecord);
    const source = profile.areHoldersDrawn ? 'recorded' : row.source; // listings are never drawn
    return { symbol: known, count: exchanges.length, exchanges, ...provenanceFields({ ...row, source }) };
  }

  async exchanges() {
    const all = await this.source.exchanges();
    return { count: all.value.length, exchanges: all.value.map(exchangeRecord), ...provenanceFields(all) };
  }

  /**
   * Evaluates an asset now.
   * @param id of the asset, or its symbol
   * @throws ApiError RESOURCE_NOT_FOUND
   */
  async analyse(id: string) {
    const row = await this.book.refresh(await this.book.findSymbol(id));
    const { symbol, id: assetId, overall_risk_score, risk_scores, risk_inputs } = assetRecord(row.value);
    return {
      status: 'completed',
      asset_id: assetId,
      symbol,
      overall_risk_score,
      risk_scores,
      risk_inputs,
      ...provenanceFields(row),
    };
  }
}

const listOrigin = (listed: Sourced<readonly Sourced<CryptoAssetRow>[]>) => {
  const [first, ...others] = listed.value;
  return provenanceFields(first ?? listed, ...others);
};

const byScore = (a: AssetRecord, b: AssetRecord): number =>
  b.overall_risk_score - a.overall_risk_score || (a.symbol < b.symbol ? -1 : 1);

function readScore(value: number): number {
  if (value >= 0 && value <= SCORE_MAX) return value;
  throw wrongValue('min_score', `a number 0..${SCORE_MAX}`, value, 'INVALID_FIELD');
}

import { derivedUuid } from '../../data/hashes/index.js';
import type { AssetSource, Exchange } from '../../data/upstreams/assets/index.js';
import type { Sourced } from '../../data/upstreams/index.js';
import { isoTime } from '../../engine/series/index.js';
import { ApiError, notFound, wrongValue } from '../api-error.js';
import type { ManagementKey } from '../identity/index.js';
import { provenanceFields } from '../provenance.js';
import { readChoice, readInteger } from '../read-fields.js';
import type { WallClock } from '../wall-clock.js';
import { type AssetBook, ageInDays, riskInputs, riskScores } from './book.js';
import type { CryptoAssetRow, SqlCryptoAssetStore } from './store.js';
import { regulatoryStatuses, securityStatuses } from './tables.js';
import type { AssetUpdates } from './updates.js';

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

/** Amounts are 0 where the source does not know them; `risk_inputs` has null there. */
function assetRecord(row: CryptoAssetRow) {
  const { profile } = row;
  const risk = riskScores(profile);
  return {
    symbol: row.symbol,
    name: profile.name,
    price_usd: profile.priceUsd,
    market_cap_usd: profile.marketCapUsd ?? 0,
    overall_risk_score: risk.overall,
    is_approved: row.is_approved,
    risk_scores: risk,
    risk_inputs: riskInputs(profile),
    id: row.id,
    regulatory_status: row.regulatory_status,
    security_status: row.security_status,
    metadata: {
      market_cap: profile.marketCapUsd ?? 0,
      volume_24h: profile.volume24hUsd,
      age_days: ageInDays(profile) ?? 0,
      exchanges: profile.exchanges.map(({ name }) => name),
    },
    timestamps: {
      created_at: isoTime(row.created_at_ms),
      updated_at: isoTime(row.updated_at_ms),
      last_evaluated_at: isoTime(row.evaluated_at_ms),
    },
    source: row.source,
  };
}

type AssetRecord = ReturnType<typeof assetRecord>;

const exchangeRecord = (exchange: Exchange) => ({
  id: derivedUuid('exchange', exchange.name),
  name: exchange.name,
  display_name: exchange.displayName,
  tier: exchange.tier,
  exchange_type: exchange.type,
  country: exchange.country,
  region: exchange.region,
  is_active: exchange.isActive,
  volume_24h_usd: exchange.volume24hUsd,
});

interface AssetAdminParts {
  readonly managementKey: Pick<ManagementKey, 'require'>;
  readonly store: Pick<SqlCryptoAssetStore, 'setApproval' | 'setStatus'>;
  readonly book: AssetBook;
  readonly updates: AssetUpdates;
  readonly clock: WallClock;
}

/**
 * Decisions of operators. Each call needs the management key, else ApiError PERMISSION_DENIED. An
 * unknown asset is RESOURCE_NOT_FOUND.
 */
export class AssetAdmin {
  constructor(private readonly parts: AssetAdminParts) {}

  /** Evaluates all assets in the background, unless that is under way. */
  async updateAll(key: string | undefined) {
    this.parts.managementKey.require(key);
    const { isAdded, latest, previous } = await this.parts.updates.request();
    const message = isAdded
      ? `Update of ${latest.total} assets started`
      : `An update is running: ${latest.done} of ${latest.total} assets done`;
    return { message, results: latest, previous };
  }

  /** @throws ApiError INVALID_STATE for a compromised or banned asset */
  async approve(key: string | undefined, name: string) {
    const { managementKey, store, book, clock } = this.parts;
    managementKey.require(key);
    const { value: asset } = await book.get(name);
    const row = await store.setApproval(asset.symbol, true, clock());
    if (row === null) {
      const message = `${asset.symbol} is compromised or banned: change that status before you approve it`;
      throw new ApiError('INVALID_STATE', message, { symbol: asset.symbol });
    }
    return this.#answer(asset.symbol);
  }

  async suspend(key: string | undefined, name: string) {
    const { managementKey, store, book, clock } = this.parts;
    managementKey.require(key);
    const { value: asset } = await book.get(name);
    await store.setApproval(asset.symbol, false, clock());
    return this.#answer(asset.symbol);
  }

  /** A banned asset loses its approval. @throws ApiError MISSING_FIELD, INVALID_FIELD */
  async setRegulatoryStatus(key: string | undefined, name: string, text: string | undefined) {
    this.parts.managementKey.require(key);
    const status = readChoice('status', text, regulatoryStatuses);
    return this.#setStatus(name, { regulatory_status: status, suspends: status === 'banned' });
  }

  /** A compromised asset loses its approval. @throws ApiError MISSING_FIELD, INVALID_FIELD */
  async setSecurityStatus(key: string | undefined, name: string, text: string | undefined) {
    this.parts.managementKey.require(key);
    const status = readChoice('status', text, securityStatuses);
    return this.#setStatus(name, { security_status: status, suspends: status === 'compromised' });
  }

  async #setStatus(name: string, change: Parameters<SqlCryptoAssetStore['setStatus']>[1]) {
    const { store, book, clock } = this.parts;
    const { value: asset } = await book.get(name);
    const set = await store.setStatus(asset.symbol, change, clock());
    if (set === null) throw notFound('asset', name);
    return { ...(await this.#answer(asset.symbol)), auto_suspended: change.suspends && set.wasApproved };
  }

  async #answer(symbol: string) {
    const row = await this.parts.book.get(symbol);
    return { asset: assetRecord(row.value), ...provenanceFields(row) };
  }
}

import { isUuid } from '../../data/state/index.js';
import type { AssetSource } from '../../data/upstreams/assets/index.js';
import { mapSourced, type Sourced, UpstreamFault } from '../../data/upstreams/index.js';
import { DAY_MS, HOUR_MS } from '../../engine/series/index.js';
import { notFound } from '../api-error.js';
import type { WallClock } from '../wall-clock.js';
import { riskScores } from './risk.js';
import type { CryptoAssetRow, SqlCryptoAssetStore } from './store.js';
import { readSymbol } from './symbols.js';

interface AssetBookParts {
  readonly store: Pick<SqlCryptoAssetStore, 'list' | 'find' | 'keep'>;
  readonly source: AssetSource;
  /** Share of the supply that the ten largest holders own, in percent; null where unknown. */
  readonly holderShare: (symbol: string) => Promise<Sourced<number | null>>;
  readonly clock: WallClock;
  /** Id of an asset; the same for the same symbol. */
  readonly assetId: (symbol: string) => string;
}

/** An asset is approved from this score on, until an operator decides otherwise. */
const APPROVED_FROM = 60;
/** A live profile is made anew once a day; the update may take an hour. */
const PROFILE_MAX_AGE_MS = DAY_MS + HOUR_MS;

/**
 * The stored assets, kept up with their source: profiles of recorded data follow each change of the
 * record at the next call; an update makes profiles of a provider anew once a day.
 */
export class AssetBook {
  constructor(private readonly parts: AssetBookParts) {}

  /**
   * The assets that the source lists, as far as they have been evaluated. While a provider fails,
   * all of its assets that are stored, marked as stale.
   */
  async all(): Promise<Sourced<readonly Sourced<CryptoAssetRow>[]>> {
    const { store, source } = this.parts;
    const rows = await store.list();
    const bySymbol = new Map(rows.map((row) => [row.symbol, row]));
    const listed = await source.listed().catch((error: unknown) => {
      if (error instanceof UpstreamFault) return error;
      throw error;
    });
    if (listed instanceof UpstreamFault) return this.#allStored(rows, listed);
    const current = listed.value.map(async ({ symbol, revision }) => {
      const row = bySymbol.get(symbol);
      if (row?.revision === revision) return this.#sourced(row);
      return source.isLive ? null : this.evaluate(symbol, revision);
    });
    const known = (await Promise.all(current)).filter((row) => row !== null);
    return mapSourced(listed, () => known);
  }

  /**
   * @param name its symbol, in upper or lower case
   * @throws ApiError RESOURCE_NOT_FOUND
   */
  async get(name: string): Promise<Sourced<CryptoAssetRow>> {
    const symbol = readSymbol(name);
    const [revision, row] = await Promise.all([this.#revisionOf(symbol), this.parts.store.find({ symbol })]);
    if (row !== null && row.revision === revision) return this.#sourced(row);
    return this.#made(symbol, revision);
  }

  /** Makes the profile of an asset anew. @throws ApiError RESOURCE_NOT_FOUND */
  async refresh(symbol: string): Promise<Sourced<CryptoAssetRow>> {
    return this.#made(symbol, await this.#revisionOf(symbol));
  }

  /** @param id of an asset; its symbol serves too */
  async findSymbol(id: string): Promise<string> {
    if (!isUuid(id)) return readSymbol(id);
    const row = await this.parts.store.find({ id });
    if (row === null) throw notFound('asset', id);
    return row.symbol;
  }

  /** Makes the profile of an asset anew and stores it. @returns null for an unknown asset */
  async evaluate(symbol: string, revision: string | null): Promise<Sourced<CryptoAssetRow> | null> {
    const { store, source, holderShare, clock, assetId } = this.parts;
    const [found, holders] = await Promise.all([source.profile(symbol), holderShare(symbol)]);
    if (found.value === null) return null;
    // A drawn figure would make a live profile a generated one.
    const isKnown = holders.source !== 'generated' || !source.isLive;
    const areHoldersDrawn = isKnown && holders.source === 'generated';
    const profile = { ...found.value, top10HoldersPct: isKnown ? holders.value : null, areHoldersDrawn };
    const isApprovedAtFirst = riskScores(profile).overall >= APPROVED_FROM;
    const row = await store.keep(
      {
        id: assetId(symbol),
        profile,
        source: areHoldersDrawn ? holders.source : found.source,
        revision,
        isApprovedAtFirst,
      },
      clock(),
    );
    return { ...this.#sourced(row), isStale: found.isStale };
  }

  async #made(symbol: string, revision: string | null): Promise<Sourced<CryptoAssetRow>> {
    const made = await this.evaluate(symbol, revision);
    if (made === null) throw notFound('asset', symbol);
    return made;
  }

  /**
   * Null for an asset of a provider.
   * @throws ApiError RESOURCE_NOT_FOUND for one that is not held
   */
  async #revisionOf(symbol: string): Promise<string | null> {
    const { source } = this.parts;
    if (source.isLive) return null;
    const listed = (await source.listed()).value.find((each) => each.symbol === symbol);
    if (listed === undefined) throw notFound('asset', symbol);
    return listed.revision;
  }

  /** @throws UpstreamFault if nothing of the provider is stored */
  #allStored(rows: readonly CryptoAssetRow[], fault: UpstreamFault): Sourced<readonly Sourced<CryptoAssetRow>[]> {
    const live = rows.filter(({ revision }) => revision === null);
    if (live.length === 0) throw fault;
    const value = live.map((row) => ({ ...this.#sourced(row), isStale: true }));
    return { value, source: fault.provider, asOfMs: null, ageMs: 0, maxAgeMs: 0, isStale: true };
  }

  #sourced(row: CryptoAssetRow): Sourced<CryptoAssetRow> {
    const { source, clock } = this.parts;
    const ageMs = source.isLive ? Math.max(0, clock() - row.evaluated_at_ms) : 0;
    const maxAgeMs = source.isLive ? PROFILE_MAX_AGE_MS : 0;
    const asOfMs = source.isLive ? null : row.profile.asOfMs;
    return { value: row, source: row.source, asOfMs, ageMs, maxAgeMs, isStale: ageMs > maxAgeMs };
  }
}

import { ApiError, notFound } from '../api-error.js';
import type { ManagementKey } from '../identity/index.js';
import { provenanceFields } from '../provenance.js';
import { readChoice } from '../read-fields.js';
import type { WallClock } from '../wall-clock.js';
import type { AssetBook } from './book.js';
import { assetRecord } from './records.js';
import type { SqlCryptoAssetStore } from './store.js';
import { regulatoryStatuses, securityStatuses } from './tables.js';
import type { AssetUpdates } from './updates.js';

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

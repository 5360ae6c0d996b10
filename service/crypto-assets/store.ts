import { type Selectable, sql } from 'kysely';
import type { RiskProfile } from '../../data/upstreams/assets/index.js';
import type { Database } from '../state/tables.js';
import type { CryptoAssetTables, RegulatoryStatus, SecurityStatus } from './tables.js';

export type CryptoAssetRow = Selectable<CryptoAssetTables['crypto_assets']>;

/** A profile of an asset, and where it came from. */
interface Evaluation {
  readonly id: string;
  readonly profile: RiskProfile;
  readonly source: string;
  /** The revision of the listed asset. */
  readonly revision: string | null;
  /** For an asset that is not stored yet. */
  readonly isApprovedAtFirst: boolean;
}

type Status =
  | { readonly regulatory_status: RegulatoryStatus; readonly suspends: boolean }
  | { readonly security_status: SecurityStatus; readonly suspends: boolean };

/** Statuses with which an asset cannot be approved. */
const BANNED: RegulatoryStatus = 'banned';
const COMPROMISED: SecurityStatus = 'compromised';

/** Assets as last evaluated, with the decisions of operators. Each method is one statement. */
export class SqlCryptoAssetStore {
  constructor(private readonly db: Database) {}

  /** By symbol. */
  async list(): Promise<CryptoAssetRow[]> {
    return this.db.selectFrom('crypto_assets').selectAll().orderBy('symbol').execute();
  }

  async find(key: { readonly symbol: string } | { readonly id: string }): Promise<CryptoAssetRow | null> {
    const query = this.db.selectFrom('crypto_assets').selectAll();
    const one = 'symbol' in key ? query.where('symbol', '=', key.symbol) : query.where('id', '=', key.id);
    return (await one.executeTakeFirst()) ?? null;
  }

  /** Stores a profile. Approval and statuses of a stored asset stay as they are. */
  async keep(evaluation: Evaluation, nowMs: number): Promise<CryptoAssetRow> {
    const { id, profile, source, revision, isApprovedAtFirst } = evaluation;
    const latest = {
      profile: JSON.stringify(profile),
      source,
      revision,
      evaluated_at_ms: nowMs,
      updated_at_ms: nowMs,
    };
    return this.db
      .insertInto('crypto_assets')
      .values({ ...latest, id, symbol: profile.symbol, is_approved: isApprovedAtFirst, created_at_ms: nowMs })
      .onConflict((conflict) => conflict.column('symbol').doUpdateSet(latest))
      .returningAll()
      .executeTakeFirstOrThrow();
  }

  /**
   * Approves or suspends an asset.
   * @returns null if it is not stored, or if its status forbids the approval
   */
  async setApproval(symbol: string, isApproved: boolean, nowMs: number): Promise<CryptoAssetRow | null> {
    let query = this.db
      .updateTable('crypto_assets')
      .set({ is_approved: isApproved, updated_at_ms: nowMs })
      .where('symbol', '=', symbol);
    if (isApproved) query = query.where('regulatory_status', '!=', BANNED).where('security_status', '!=', COMPROMISED);
    return (await query.returningAll().executeTakeFirst()) ?? null;
  }

  /**
   * Sets a status; a status that suspends takes the approval away.
   * @returns null if the asset is not stored; `wasApproved` as it was before
   */
  async setStatus(symbol: string, { suspends, ...status }: Status, nowMs: number) {
    const row = await this.db
      .with('before', (db) =>
        db.selectFrom('crypto_assets').select(['symbol', 'is_approved']).where('symbol', '=', symbol).forUpdate(),
      )
      .updateTable('crypto_assets')
      .from('before')
      .set({
        ...status,
        updated_at_ms: nowMs,
        is_approved: suspends ? false : sql.ref('crypto_assets.is_approved'),
      })
      .whereRef('crypto_assets.symbol', '=', 'before.symbol')
      .returningAll('crypto_assets')
      .returning('before.is_approved as wasApproved')
      .executeTakeFirst();
    if (row === undefined) return null;
    const { wasApproved, ...asset } = row;
    return { row: asset, wasApproved };
  }
}

import { type ColumnType, type Generated, sql } from 'kysely';
import type { Migrations } from '../../data/state/index.js';
import type { RiskProfile } from '../../data/upstreams/assets/index.js';
import type { Json } from '../state/json-columns.js';

export const regulatoryStatuses = ['pending', 'approved', 'restricted', 'banned'] as const;
export type RegulatoryStatus = (typeof regulatoryStatuses)[number];

export const securityStatuses = ['pending', 'secure', 'vulnerable', 'compromised'] as const;
export type SecurityStatus = (typeof securityStatuses)[number];

/** An asset that an update could not evaluate, and why. */
export interface UpdateFailure {
  readonly symbol: string;
  readonly error: string;
}

interface CryptoAssetTable {
  symbol: string;
  id: string;
  is_approved: boolean;
  regulatory_status: Generated<RegulatoryStatus>;
  security_status: Generated<SecurityStatus>;
  profile: Json<RiskProfile>;
  source: string;
  revision: string | null;
  evaluated_at_ms: number;
  created_at_ms: number;
  updated_at_ms: number;
}

interface CryptoAssetUpdateTable {
  id: string;
  symbols: Json<readonly string[]>;
  place: Generated<number>;
  failures: ColumnType<readonly UpdateFailure[], never, string>;
  started_at_ms: number;
  finished_at_ms: number | null;
  lease_runner: string | null;
  lease_until_ms: Generated<number>;
}

/** Tables of crypto assets, as the migrations leave them. */
export interface CryptoAssetTables {
  crypto_assets: CryptoAssetTable;
  crypto_asset_updates: CryptoAssetUpdateTable;
}

export const cryptoAssetMigrations: Migrations = {
  /**
   * Assets as last evaluated, with what operators decided of them, and updates of all assets. An
   * update goes through its symbols in order: `place` counts those done, and while `lease_until_ms`
   * lies ahead, one process works on it. At most one is unfinished. Times are epoch ms.
   */
  '0012-crypto-assets': {
    async up(db) {
      await sql`
        create table crypto_assets (
          symbol text primary key,
          id uuid not null unique,
          is_approved boolean not null,
          regulatory_status text not null default 'pending',
          security_status text not null default 'pending',
          profile json not null,
          source text not null,
          revision text,
          evaluated_at_ms bigint not null,
          created_at_ms bigint not null,
          updated_at_ms bigint not null
        )`.execute(db);
      await sql`
        create table crypto_asset_updates (
          id uuid primary key,
          symbols json not null,
          place integer not null default 0,
          failures json not null default '[]',
          started_at_ms bigint not null,
          finished_at_ms bigint,
          lease_runner uuid,
          lease_until_ms bigint not null default 0
        )`.execute(db);
      await sql`
        create unique index crypto_asset_update_unfinished on crypto_asset_updates ((true))
        where finished_at_ms is null`.execute(db);
    },
  },
  /**
   * The holder of an update's lease is named so that others on its machine can tell whether it still
   * runs. An earlier version wrote a UUID, which this one takes for the name of another machine.
   */
  '0017-update-runners': {
    async up(db) {
      await sql`alter table crypto_asset_updates alter column lease_runner type text`.execute(db);
    },
  },
};

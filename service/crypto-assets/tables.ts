import type { ColumnType, Generated } from 'kysely';
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
  profile: Json<object>;
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

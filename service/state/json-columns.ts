import type { ColumnType } from 'kysely';

/** Written as JSON text, read as the value. */
export type Json<T> = ColumnType<T, string, string>;
export type NullableJson<T> = ColumnType<T | null, string | null, string | null>;

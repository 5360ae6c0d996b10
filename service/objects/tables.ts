import { type Generated, sql } from 'kysely';
import type { SeriesEntry } from '../../data/objects/index.js';
import type { Migrations } from '../../data/state/index.js';
import type { Json } from '../state/json-columns.js';

/** A series of bars or columns whose file is in the store of objects. */
interface SharedSeriesTable {
  /** The folder of a home that it belongs to. */
  folder: string;
  /** Asset, and interval or column. */
  name: string;
  entry: Json<SeriesEntry>;
  /** Grows with every change of any series. */
  revision: Generated<number>;
}

/** Tables of shared files, as the migrations leave them. */
export interface ObjectTables {
  shared_series: SharedSeriesTable;
}

export const objectMigrations: Migrations = {
  /** Hosts that share no folder find bars and columns here; a file counts once its row names it. */
  '0025-shared-series': {
    async up(db) {
      await sql`create sequence shared_series_revisions`.execute(db);
      await sql`
        create table shared_series (
          folder text not null,
          name text not null,
          entry json not null,
          revision bigint not null default nextval('shared_series_revisions'),
          primary key (folder, name)
        )`.execute(db);
    },
  },
};

import { sql } from 'kysely';
import {
  type CatalogueCopy,
  type ObjectStore,
  openCatalogueCopy,
  type SeriesEntry,
  type SeriesFolder,
  seriesFolders,
} from '../../data/objects/index.js';
import { errorCode } from '../../data/outage.js';
import type { Database } from '../state/tables.js';

interface SeriesDeps {
  readonly db: Database;
  readonly objects: ObjectStore;
  readonly home: string;
}

interface Seen {
  readonly revision: string;
  readonly own: readonly SeriesEntry[];
}

/**
 * Bars and columns of all hosts, each of which has a copy of all. A host sends what was imported
 * there and takes what was imported elsewhere; of two imports of a series the later one counts. A
 * series counts once its row names its file, so files are sent before and taken after.
 */
export class SharedSeries {
  readonly #copies: ReadonlyMap<SeriesFolder, CatalogueCopy>;
  readonly #seen = new Map<SeriesFolder, Seen>();
  #last: Promise<void> = Promise.resolve();

  constructor(private readonly deps: SeriesDeps) {
    this.#copies = new Map(seriesFolders.map((name) => [name, openCatalogueCopy(deps.home, name)]));
  }

  /** Sends and takes what has changed since; cheap where nothing has. One exchange at a time. */
  sync(): Promise<void> {
    const next = this.#last
      .catch(() => {})
      .then(async () => {
        for (const [folder, copy] of this.#copies) await this.#exchange(folder, copy);
      });
    this.#last = next;
    return next;
  }

  /** Removes files that no row names any more. */
  async clear(staleMs: number): Promise<void> {
    for (const folder of seriesFolders) {
      const named = new Set((await this.#rows(folder)).map(({ file }) => keyOf(folder, file)));
      for await (const { key, storedMs } of this.deps.objects.list(`${folder}/`)) {
        if (!named.has(key) && storedMs <= staleMs) await this.deps.objects.remove(key);
      }
    }
  }

  async #exchange(folder: SeriesFolder, copy: CatalogueCopy): Promise<void> {
    const [revision, own] = [await this.#revision(folder), await copy.entries()];
    const seen = this.#seen.get(folder);
    if (seen?.revision === revision && seen.own === own) return;
    const shared = new Map((await this.#rows(folder)).map((entry) => [copy.nameOf(entry), entry]));
    const held = new Map(own.map((entry) => [copy.nameOf(entry), entry]));
    let isWhole = true;
    for (const entry of own) {
      if (!copy.replaces(entry, shared.get(copy.nameOf(entry)))) continue;
      isWhole = (await this.#send(folder, copy, entry)) && isWhole;
    }
    const wanted = [...shared.values()].filter((entry) => copy.replaces(entry, held.get(copy.nameOf(entry))));
    await copy.take(wanted, (entry, path) => this.deps.objects.get(keyOf(folder, entry.file), path));
    // What was sent has a new revision, and what was taken another catalogue: the next call looks.
    if (isWhole && wanted.length === 0) this.#seen.set(folder, { revision, own });
  }

  /** False where the file was replaced meanwhile. */
  async #send(folder: SeriesFolder, copy: CatalogueCopy, entry: SeriesEntry): Promise<boolean> {
    try {
      await this.deps.objects.put(keyOf(folder, entry.file), copy.pathOf(entry));
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false;
      throw error;
    }
    await this.deps.db.transaction().execute(async (db) => {
      const row = { folder, name: copy.nameOf(entry), entry: JSON.stringify(entry) };
      const added = await db
        .insertInto('shared_series')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (added.numInsertedOrUpdatedRows === 1n) return;
      const known = await db
        .selectFrom('shared_series')
        .where('folder', '=', folder)
        .where('name', '=', row.name)
        .select('entry')
        .forUpdate()
        .executeTakeFirst();
      if (!copy.replaces(entry, known?.entry)) return; // another host has stored a later one
      await db
        .updateTable('shared_series')
        .where('folder', '=', folder)
        .where('name', '=', row.name)
        .set({ entry: row.entry, revision: sql<number>`nextval('shared_series_revisions')` })
        .execute();
    });
    return true;
  }

  async #revision(folder: SeriesFolder): Promise<string> {
    const { rows } = await sql<{ revision: string }>`
      select count(*)::text || ' ' || coalesce(max(revision), 0)::text as revision
      from shared_series where folder = ${folder}`.execute(this.deps.db);
    return rows[0]?.revision ?? '';
  }

  async #rows(folder: SeriesFolder): Promise<readonly SeriesEntry[]> {
    const rows = await this.deps.db
      .selectFrom('shared_series')
      .where('folder', '=', folder)
      .select('entry')
      .orderBy('name')
      .execute();
    return rows.map(({ entry }) => entry);
  }
}

const keyOf = (folder: SeriesFolder, file: string): string => `${folder}/${file}`;

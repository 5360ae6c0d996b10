import { readdir, rm, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { type ExpressionBuilder, sql } from 'kysely';
import { isUuid } from '../../data/state/index.js';
import { groupsToJoin, joinFiles, markUsed, openSweepFolder, triedIn } from '../../data/sweeps/index.js';
import type { PartFiles } from '../objects/index.js';
import type { Database, StateSchema } from '../state/tables.js';
import type { WallClock } from '../wall-clock.js';
import { experimentFolder } from './run-blocks.js';
import type { SqlTries } from './tries.js';

interface PartKeeperDeps {
  readonly parts: SqlExperimentParts;
  readonly tries: SqlTries;
  readonly files: PartFiles;
  /** Folder that holds the rows of all experiments. */
  readonly corpus: string;
  readonly nowMs: WallClock;
}

/**
 * Most rows of a joined file. Each file costs its readers time, but joining takes 2 KB of memory
 * per row, and joining long files is wasted work when rows are added later.
 */
const JOINED_ROWS_MAX = 50_000;
/** The default sort column of results. */
const RANKED_BY = 'sharpe_ratio';
/**
 * Until then a reader may still use a replaced file, and a writer may not have committed a new one.
 */
const UNREFERENCED_MS_MAX = 3_600_000;
const JOINING_MS_MAX = 600_000;

/** Keeps the rows of experiments in few files, and deletes files that no experiment refers to. */
export class PartKeeper {
  #isStopping = false;

  constructor(private readonly deps: PartKeeperDeps) {}

  /** Stops joining after the current file and starts no more. */
  stop(): void {
    this.#isStopping = true;
  }

  /** Joins the files of one experiment that has too many; false if no experiment has. */
  async joinNext(): Promise<boolean> {
    const { parts, nowMs } = this.deps;
    if (this.#isStopping) return false;
    const scattered = await parts.claimScattered(nowMs(), nowMs() + JOINING_MS_MAX);
    if (scattered === null) return false;
    // An unfinished join keeps its claim for a while. Otherwise the same experiment would be handed
    // out first again, and others would never get a turn.
    if (await this.#join(scattered)) {
      if (scattered.isEnded) await this.#recordTries(scattered);
      await parts.setJoined(scattered);
    } else {
      await parts.release(scattered);
    }
    return true;
  }

  /** What an ended experiment tried counts from now on, even if a crash repeats this. */
  async #recordTries({ id, orgId }: Scattered): Promise<void> {
    const { corpus, tries, files, parts } = this.deps;
    const { path, recordPath, partPath } = openSweepFolder(experimentFolder(corpus, orgId, id));
    const committed = await parts.reaching(id, 0);
    await files.bring([recordPath, ...committed.map(({ from, to }) => partPath(from, to))]);
    for (const [asset, hashes] of await triedIn(path)) await tries.add(orgId, asset, hashes);
  }

  /**
   * False if it stopped early: the experiment was deleted, another process joined it, or this
   * keeper is stopping.
   */
  async #join({ id, orgId, parts: scattered }: Scattered): Promise<boolean> {
    const { parts, corpus, files: shared } = this.deps;
    const folder = openSweepFolder(experimentFolder(corpus, orgId, id));
    for (const group of groupsToJoin(scattered, JOINED_ROWS_MAX)) {
      if (this.#isStopping) return false;
      // biome-ignore lint/style/noNonNullAssertion: a group to join has two parts at least
      const joined = { from: group[0]!.from, to: group.at(-1)!.to };
      const path = folder.partPath(joined.from, joined.to);
      const files = group.map(({ from, to }) => folder.partPath(from, to));
      await shared.bring(files);
      await joinFiles(files, path, { highest: RANKED_BY });
      await shared.publish(path);
      for (const file of files) await markUsed(file); // gives current readers time to finish
      if (!(await parts.replace(id, joined, (await stat(path)).size))) return false;
    }
    return true;
  }

  /**
   * Deletes files that no experiment refers to and no process can still be using, and folders of
   * deleted experiments.
   */
  async clear(): Promise<void> {
    const { corpus, parts, files, nowMs } = this.deps;
    const staleMs = nowMs() - UNREFERENCED_MS_MAX;
    for (const orgId of await namesIn(corpus)) {
      if (!isUuid(orgId)) continue;
      const referenced = await parts.ofOrganization(orgId);
      for (const id of await namesIn(join(corpus, orgId))) {
        const path = experimentFolder(corpus, orgId, id);
        await this.#clearFolder(path, referencedFiles(path, referenced.get(id)), staleMs);
      }
    }
    const known = new Map<string, Awaited<ReturnType<typeof parts.ofOrganization>>>();
    await files.clear(async (file) => {
      const [orgId = '', id = ''] = relative(corpus, file).split(sep);
      if (!isUuid(orgId)) return true; // not ours
      const referenced = known.get(orgId) ?? (await parts.ofOrganization(orgId));
      known.set(orgId, referenced);
      return referencedFiles(experimentFolder(corpus, orgId, id), referenced.get(id))?.has(file) === true;
    }, staleMs);
  }

  /** @param kept null for a deleted experiment */
  async #clearFolder(path: string, kept: ReadonlySet<string> | null, staleMs: number): Promise<void> {
    let left = 0;
    for (const name of await namesIn(path)) {
      const file = join(path, name);
      const found = await stat(file).catch(gone);
      if (found === null) continue; // another process has removed or renamed it
      if (kept?.has(file) || found.mtimeMs > staleMs) left++;
      // This may be a report's folder of links that a crash left.
      else await rm(file, { recursive: true, force: true });
    }
    if (left === 0 && kept === null) await rm(path, { recursive: true, force: true });
  }
}

/** The files of an experiment; null of a deleted one. */
function referencedFiles(path: string, parts: readonly PartRange[] | undefined): ReadonlySet<string> | null {
  if (parts === undefined) return null;
  const { partPath, recordPath } = openSweepFolder(path);
  return new Set([recordPath, ...parts.map(({ from, to }) => partPath(from, to))]);
}

const gone = (error: NodeJS.ErrnoException): null => {
  if (error.code === 'ENOENT') return null;
  throw error;
};

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

interface PartRange {
  readonly from: number;
  readonly to: number;
}

/** An experiment whose rows are in more files than necessary. */
interface Scattered {
  readonly id: string;
  readonly orgId: string;
  /** No more rows will follow. */
  readonly isEnded: boolean;
  /** When the claim ends. */
  readonly untilMs: number;
  /** Ascending. */
  readonly parts: readonly PartRange[];
}

/** The files of rows, for the process that joins them. */
export class SqlExperimentParts {
  constructor(private readonly db: Database) {}

  /**
   * Claims an experiment whose files can be joined, until `untilMs`: one that has ended, or one
   * with many new files since the last time. Null if no experiment is like that.
   */
  async claimScattered(nowMs: number, untilMs: number): Promise<Scattered | null> {
    const { rows } = await sql<{ id: string; org_id: string; is_ended: boolean }>`
      update experiments set joining_until_ms = ${untilMs}
      where id = (
        select id from experiments where ${isFree(nowMs)} and ${isScattered} order by id limit 1
      ) and ${isFree(nowMs)} -- rechecked after waiting for a concurrent claim
      returning id, org_id, ended_at_ms is not null as is_ended`.execute(this.db);
    const [row] = rows;
    if (row === undefined) return null;
    const parts = await this.db
      .selectFrom('experiment_parts')
      .where('experiment_id', '=', row.id)
      .select(['run_from as from', 'run_to as to'])
      .orderBy('run_from')
      .execute();
    return { id: row.id, orgId: row.org_id, isEnded: row.is_ended, untilMs, parts };
  }

  /**
   * Replaces the parts within the range by one part with their rows; false, without effect, when
   * they are gone.
   */
  async replace(id: string, { from, to }: PartRange, bytes: number): Promise<boolean> {
    const isWithin = (eb: ExpressionBuilder<StateSchema, 'experiment_parts'>) =>
      eb.and([eb('experiment_id', '=', id), eb('run_from', '>=', from), eb('run_to', '<=', to)]);
    return this.db.transaction().execute(async (db) => {
      // The lock orders this transaction with one that deletes the experiment or joins the same
      // parts.
      await db.selectFrom('experiments').where('id', '=', id).select('id').forNoKeyUpdate().execute();
      const total = (column: 'ok' | 'no_trades' | 'skipped' | 'errors') =>
        sql<number>`coalesce(sum(${sql.ref(column)}), 0)::integer`.as(column);
      const { runs, ...counts } = await db
        .selectFrom('experiment_parts')
        .where(isWithin)
        .select(sql<number>`coalesce(sum(run_to - run_from), 0)::integer`.as('runs'))
        .select([total('ok'), total('no_trades'), total('skipped'), total('errors')])
        .executeTakeFirstOrThrow();
      if (runs !== to - from) return false;
      await db.deleteFrom('experiment_parts').where(isWithin).execute();
      const joined = { experiment_id: id, run_from: from, run_to: to, bytes, ...counts };
      await db.insertInto('experiment_parts').values(joined).execute();
      return true;
    });
  }

  /**
   * Records that nothing is left to join: for good if the experiment had ended, otherwise until new
   * files arrive.
   */
  async setJoined({ id, isEnded }: Scattered): Promise<void> {
    await sql`
      update experiments set joining_until_ms = null, is_joined = ${isEnded},
        parts_joined = (select count(*) from experiment_parts where experiment_id = ${id})
      where id = ${id}`.execute(this.db);
  }

  /** Gives up a claim before everything is joined. */
  async release({ id, untilMs }: Scattered): Promise<void> {
    await this.db
      .updateTable('experiments')
      .set({ joining_until_ms: null })
      .where('id', '=', id)
      .where('joining_until_ms', '=', untilMs)
      .execute();
  }

  /**
   * Ends all claims, whose holders are gone. For the only process of an embedded store, when it
   * starts.
   */
  async releaseAll(): Promise<void> {
    await this.db
      .updateTable('experiments')
      .set({ joining_until_ms: null })
      .where('joining_until_ms', 'is not', null)
      .execute();
  }

  async hasScattered(nowMs: number): Promise<boolean> {
    const { rows } = await sql`
      select 1 from experiments where ${isFree(nowMs)} and ${isScattered} limit 1`.execute(this.db);
    return rows.length > 0;
  }

  /** The committed parts of an experiment that reach beyond a run, in the order of their runs. */
  async reaching(id: string, run: number): Promise<readonly (PartRange & { readonly bytes: number })[]> {
    return this.db
      .selectFrom('experiment_parts')
      .where('experiment_id', '=', id)
      .where('run_to', '>', run)
      .select(['run_from as from', 'run_to as to', 'bytes'])
      .orderBy('run_from')
      .execute();
  }

  /**
   * The parts of an organization's experiments, by experiment. A deleted experiment has no entry.
   */
  async ofOrganization(orgId: string): Promise<ReadonlyMap<string, readonly PartRange[]>> {
    const rows = await this.db
      .selectFrom('experiments')
      .leftJoin('experiment_parts', 'experiment_parts.experiment_id', 'experiments.id')
      .where('org_id', '=', orgId)
      .select(['id', 'run_from', 'run_to'])
      .execute();
    const parts = new Map<string, PartRange[]>();
    for (const { id, run_from: from, run_to: to } of rows) {
      const known = parts.get(id) ?? [];
      parts.set(id, known);
      if (from !== null && to !== null) known.push({ from, to });
    }
    return parts;
  }
}

/** The files of a running experiment are joined once it has more than this many new ones. */
const NEW_PARTS_MIN = 64;

const isFree = (nowMs: number) => sql`coalesce(joining_until_ms, 0) <= ${nowMs}`;

const isScattered = sql`not is_joined and launched_at_ms is not null and (
  ended_at_ms is not null or
  (select count(*) from experiment_parts where experiment_id = experiments.id) > parts_joined + ${sql.lit(NEW_PARTS_MIN)}
)`;

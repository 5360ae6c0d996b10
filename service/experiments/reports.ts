import { randomUUID } from 'node:crypto';
import { link, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../data/outage.js';
import { openSweepFolder } from '../../data/sweeps/index.js';
import type { Holdouts } from '../../data/tries/index.js';
import { quote } from '../../engine/errors.js';
import {
  defaultRanking,
  isRankingMetric,
  MIN_TRADES_MAX,
  notRankable,
  type Ranking,
} from '../../engine/sweep/index.js';
import { BackgroundThread } from '../../workers/index.js';
import { ApiError, notFound } from '../api-error.js';
import type { Caller } from '../caller.js';
import type { PartFiles } from '../objects/index.js';
import type { SqlExperimentParts } from './keep-parts.js';
import { orBusy } from './plan.js';
import type { ReportAnswer, ReportTask } from './report-task.js';
import { rowsElsewhere } from './rows.js';
import { experimentFolder } from './run-blocks.js';
import type { ExperimentRow, SqlExperimentStore } from './store.js';
import type { SqlTries } from './tries.js';

interface ReportDeps {
  readonly store: SqlExperimentStore;
  readonly parts: SqlExperimentParts;
  readonly tries: SqlTries;
  readonly files: PartFiles;
  /** The days that an organization holds out. */
  readonly heldOut: (orgId: string) => Pick<Holdouts, 'list'>;
  /** Folder that holds the rows of all experiments. */
  readonly corpus: string;
  /** Where the bars are stored. */
  readonly home: string;
  readonly sampleDir: string;
  readonly engineVersion: string;
  /** Most threads that judge the trials of an experiment. */
  readonly threads: number;
}

const IDLE_MS = 30_000;
const QUEUE_MAX = 16;
const HEAP_MB_MAX = 1_024;
/**
 * Files may be joined while they are being linked; the next attempt then links the new ones. If
 * every attempt fails, this host does not have the files.
 */
const LINK_ATTEMPTS_MAX = 3;

/** The task runs in the form of this file: compiled, or through a loader. */
const task = new URL(`./report-task${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

interface RankingRequest {
  readonly by?: string;
  readonly min_trades?: number;
}

/** Reports on the rows that an experiment has so far. */
export class ExperimentReports {
  // Native code reads the rows and cannot be interrupted, so a report that has begun runs on after
  // its caller leaves.
  readonly #thread = new BackgroundThread<ReportTask, ReportAnswer>({
    ...{ task, queueMax: QUEUE_MAX, idleMs: IDLE_MS, heapMbMax: HEAP_MB_MAX },
    endsBySignal: false,
  });

  constructor(private readonly deps: ReportDeps) {}

  /**
   * Assesses how good the best run of each dataset is, given how many were tried.
   * @throws INVALID_STATE while no run has a row; VALIDATION_ERROR for `by` and `min_trades`;
   *   RESOURCE_NOT_FOUND; ENGINE_BUSY
   */
  async honesty(caller: Caller, id: string, request: RankingRequest = {}, signal?: AbortSignal) {
    const { honesty } = await this.#report('honesty', caller, id, request, signal);
    // biome-ignore lint/style/noNonNullAssertion: a report of this kind is an assessment
    return { experiment_id: id, datasets: honesty!.map(withSnakeCase) };
  }

  /** The report as one self-contained HTML document. @throws as `honesty` */
  async page(caller: Caller, id: string, request: RankingRequest = {}, signal?: AbortSignal) {
    const { html } = await this.#report('page', caller, id, request, signal);
    // biome-ignore lint/style/noNonNullAssertion: a report of this kind is a page
    return { html: html! };
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  async #report(
    kind: ReportTask['kind'],
    { orgId }: Caller,
    id: string,
    request: RankingRequest,
    signal?: AbortSignal,
  ) {
    const ranking = readRanking(request);
    const { store, home, sampleDir, engineVersion, threads } = this.deps;
    const row = await store.find(orgId, id);
    if (row === null) throw notFound('Experiment', id);
    const { folder, done } = await this.#linkRows(row);
    try {
      const { config, total_runs, plan_hash } = row;
      const tried = await this.deps.tries.of(orgId);
      const triedSweeps = await this.deps.tries.judgedSweeps(orgId);
      const heldOut = await this.deps.heldOut(orgId).list();
      const given = {
        kind,
        home,
        sampleDir,
        engineVersion,
        threads,
        config,
        tried,
        triedSweeps,
        heldOut,
        ...ranking,
        folder,
        experimentId: id,
      };
      const total = total_runs ?? 0;
      const prepare = async (): Promise<ReportTask> => ({ ...given, total, done, planHash: plan_hash ?? '' });
      const answer = await orBusy('report', this.#thread.run(prepare, signal));
      if ('refusal' in answer) throw new ApiError('INVALID_STATE', `Experiment ${id}: ${answer.refusal}`);
      for (const { asset, tried: one } of answer.worth) await this.deps.tries.addSweep(orgId, asset, one);
      return answer;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /**
   * Makes a folder of links to the committed files, since other files may lie beside them and
   * joining may replace some meanwhile.
   */
  async #linkRows({ id, org_id }: ExperimentRow): Promise<{ folder: string; done: number }> {
    const { parts, corpus, files } = this.deps;
    for (let attempt = 1; ; attempt++) {
      const committed = (await parts.ofOrganization(org_id)).get(id) ?? [];
      if (committed.length === 0) throw new ApiError('INVALID_STATE', `Experiment ${id} has no rows yet`);
      const source = openSweepFolder(experimentFolder(corpus, org_id, id));
      const folder = join(source.path, `.report-${randomUUID()}`);
      const { partPath } = openSweepFolder(folder);
      await files.bring([source.recordPath, ...committed.map(({ from, to }) => source.partPath(from, to))]);
      try {
        await mkdir(folder);
        await link(source.recordPath, join(folder, 'sweep.json'));
        for (const { from, to } of committed) await link(source.partPath(from, to), partPath(from, to));
        return { folder, done: committed.reduce((sum, { from, to }) => sum + to - from, 0) };
      } catch (error) {
        await rm(folder, { recursive: true, force: true });
        if (errorCode(error) !== 'ENOENT') throw error;
        // The experiment was deleted, or its files were joined and cleared away; the store tells
        // which.
        if ((await this.deps.store.find(org_id, id)) === null) throw notFound('Experiment', id);
        if (attempt === LINK_ATTEMPTS_MAX) throw rowsElsewhere(id);
      }
    }
  }
}

function readRanking(request: RankingRequest): Ranking {
  const { by = defaultRanking.by, min_trades: minTrades = defaultRanking.minTrades } = request;
  if (!isRankingMetric(by)) throw new ApiError('VALIDATION_ERROR', notRankable('by', by), { field: 'by' });
  if (!Number.isInteger(minTrades) || minTrades < 0 || minTrades > MIN_TRADES_MAX) {
    const message = `min_trades must be a whole number 0..${MIN_TRADES_MAX}, was ${quote(minTrades)}`;
    throw new ApiError('VALIDATION_ERROR', message, { field: 'min_trades' });
  }
  return { by, minTrades };
}

/**
 * Renames the keys of JSON figures to snake case. Until version 0.3, each camel-case key is kept
 * beside the new one, with its old contents.
 */
function withSnakeCase(value: unknown): unknown {
  return renamed(value, true);
}

function renamed(value: unknown, hasAliases: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, hasAliases));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).flatMap(([key, held]): [string, unknown][] => {
    const snake = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    if (snake === key) return [[key, renamed(held, hasAliases)]];
    // Values under a new key have no old keys.
    return hasAliases
      ? [
          [snake, renamed(held, false)],
          [key, held],
        ]
      : [[snake, renamed(held, false)]];
  });
  return Object.fromEntries(entries);
}

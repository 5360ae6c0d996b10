import { createReadStream } from 'node:fs';
import { errorCode } from '../../data/outage.js';
import { openSweepFolder } from '../../data/sweeps/index.js';
import { ApiError, notFound } from '../api-error.js';
import type { Caller } from '../caller.js';
import { EXPERIMENT_RUNS_MAX } from '../identity/index.js';
import type { PartFiles } from '../objects/index.js';
import { readInteger } from '../read-fields.js';
import type { SqlExperimentParts } from './keep-parts.js';
import { experimentFolder } from './run-blocks.js';
import type { SqlExperimentStore } from './store.js';

interface RowsDeps {
  readonly store: SqlExperimentStore;
  readonly parts: SqlExperimentParts;
  readonly files: PartFiles;
  /** Folder that holds the rows of all experiments. */
  readonly corpus: string;
}

interface RowsRequest {
  readonly experiment_id: string;
  readonly run_from?: number;
}

interface RowsPiece {
  readonly parquet: Uint8Array;
  readonly run_from: number | null;
  readonly run_to: number | null;
}

const PIECE_BYTES = 256 * 1024;
/** Joined files are replaced by longer ones. If every attempt fails, this host does not have them. */
const READ_ATTEMPTS_MAX = 3;

/** The rows of experiments, as the files that hold them. */
export class ExperimentRows {
  constructor(private readonly deps: RowsDeps) {}

  /** @throws RESOURCE_NOT_FOUND; INVALID_FIELD for `run_from` */
  async list(caller: Caller, request: RowsRequest) {
    const files = await this.#files(caller, request);
    return {
      experiment_id: request.experiment_id,
      files: files.map(({ from, to, bytes }) => ({ run_from: from, run_to: to, bytes })),
    };
  }

  /**
   * The first file of that list, in pieces. A file that is removed once it is open is read to its end.
   * @throws as `list`; INVALID_STATE where no run from `run_from` on has a row
   */
  async *read(caller: Caller, request: RowsRequest): AsyncGenerator<RowsPiece> {
    const { experiment_id: id, run_from: run = 0 } = request;
    const folder = openSweepFolder(experimentFolder(this.deps.corpus, caller.orgId, id));
    for (let attempt = 1; ; attempt++) {
      const [file] = await this.#files(caller, request);
      if (file === undefined) throw new ApiError('INVALID_STATE', `Experiment ${id} has no rows from run ${run} on`);
      const path = folder.partPath(file.from, file.to);
      await this.deps.files.bring([path]);
      let isFirst = true;
      try {
        for await (const parquet of createReadStream(path, { highWaterMark: PIECE_BYTES })) {
          yield { parquet, run_from: isFirst ? file.from : null, run_to: isFirst ? file.to : null };
          isFirst = false;
        }
        return;
      } catch (error) {
        if (errorCode(error) !== 'ENOENT') throw error;
        if (attempt === READ_ATTEMPTS_MAX) throw rowsElsewhere(id);
      }
    }
  }

  async #files({ orgId }: Caller, { experiment_id: id, run_from }: RowsRequest) {
    const run = readInteger('run_from', run_from, { min: 0, max: EXPERIMENT_RUNS_MAX, ifAbsent: 0 });
    if ((await this.deps.store.find(orgId, id)) === null) throw notFound('Experiment', id);
    return this.deps.parts.reaching(id, run);
  }
}

/** The refusal of a host that has not the files of an experiment. */
export const rowsElsewhere = (id: string): ApiError => {
  const where = 'all hosts need the same folder `corpus` in their BARLINE_HOME, or the same BARLINE_OBJECTS';
  return new ApiError('INVALID_STATE', `The rows of experiment ${id} are not on this host: ${where}`);
};

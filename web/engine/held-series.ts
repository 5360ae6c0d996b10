import type { BarSeries } from '../../engine/series/index.js';
import type { components, paths } from '../../library/client/generated/api.js';
import type { Session } from '../api/session.js';
import type { Engine } from './engine.js';
import { type RunRequest, type SeriesName, seriesKey } from './protocol.js';

export type SeriesRecord = components['schemas']['SeriesRecord'];
export type SeriesDetails =
  paths['/api/v1/series/{asset}/{interval}']['get']['responses'][200]['content']['application/json'];

/** A series whose bars the page holds, in memory that its engine shares. */
export interface LoadedSeries {
  readonly details: SeriesDetails;
  readonly bars: BarSeries;
}

const ARROW = 'application/vnd.apache.arrow.stream';

/** The bars of the service in the page: each series is fetched once, as Arrow. */
export class HeldSeries {
  #list: Promise<readonly SeriesRecord[]> | null = null;
  readonly #loaded = new Map<string, Promise<LoadedSeries>>();

  constructor(
    private readonly session: Session,
    private readonly engine: Engine,
  ) {}

  list(): Promise<readonly SeriesRecord[]> {
    this.#list ??= this.#fetchList().catch((error: unknown) => {
      this.#list = null;
      throw error;
    });
    return this.#list;
  }

  load(name: SeriesName): Promise<LoadedSeries> {
    const key = seriesKey(name);
    let loading = this.#loaded.get(key);
    if (loading === undefined) {
      loading = this.#fetch(name);
      this.#loaded.set(key, loading);
      loading.catch(() => this.#loaded.delete(key));
    }
    return loading;
  }

  /** Loads what a run reads beside its own series. */
  async loadFor(request: RunRequest): Promise<void> {
    const names = await this.engine.ask('needs', request);
    await Promise.all(names.map((name) => this.load(name)));
  }

  /** To be called after an import: the next reader fetches what is held then. */
  async refresh(): Promise<void> {
    this.#list = null;
    const names = [...this.#loaded.values()];
    this.#loaded.clear();
    for (const loaded of await Promise.allSettled(names)) {
      if (loaded.status !== 'fulfilled') continue;
      const { asset, interval } = loaded.value.details.series;
      await this.engine.ask('forget', { asset, interval });
    }
  }

  async #fetchList(): Promise<readonly SeriesRecord[]> {
    const { data, error } = await this.session.api.GET('/api/v1/series');
    if (data === undefined) throw new Error(error.message);
    return data.series;
  }

  async #fetch({ asset, interval }: SeriesName): Promise<LoadedSeries> {
    const params = { path: { asset, interval } };
    const { data: details, error } = await this.session.api.GET('/api/v1/series/{asset}/{interval}', { params });
    if (typeof details !== 'object') throw new Error(error?.message ?? 'the service described no series');
    const { columns } = details.series;
    const query = columns.length === 0 ? '' : `?columns=${encodeURIComponent(columns.join(','))}`;
    const path = `/api/v1/series/${encodeURIComponent(asset)}/${encodeURIComponent(interval)}${query}`;
    const answer = await this.session.fetch(path, { headers: { Accept: ARROW } });
    if (!answer.ok) throw new Error(`the bars of ${asset} ${interval} could not be read: ${answer.status}`);
    return { details, bars: await this.engine.load(asset, interval, await answer.arrayBuffer()) };
  }
}

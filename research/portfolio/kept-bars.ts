import { ColumnMemory, joinBars, type SharedBars, shareBars, viewBars } from '../../engine/series/index.js';
import type { RunBars } from '../window-bars.js';

type Found = Awaited<ReturnType<RunBars['resolveSource']>>;
type Loaded = Awaited<ReturnType<RunBars['load']>>;
type SharedLoad = Omit<Loaded, 'bars'> & { readonly bars: SharedBars };

/** What a store has answered, as it crosses threads: by question, the bars in their memory. */
export interface SharedReads {
  readonly sources: ReadonlyMap<string, Found>;
  readonly loads: ReadonlyMap<string, SharedLoad>;
}

export interface KeptBars extends RunBars {
  /** The answers so far, for other threads. Call it where no memory of the bars serves other work later. */
  share(): Promise<SharedReads>;
}

/**
 * Bars that are read once: members that differ in their rules alone share one series.
 * @param known answers that another thread shares
 */
export function keptBars(store: RunBars, known?: SharedReads): KeptBars {
  const sources = new Map<string, Promise<Found>>();
  const loads = new Map<string, Promise<Loaded>>();
  for (const [key, found] of known?.sources ?? []) sources.set(key, Promise.resolve(found));
  for (const [key, load] of known?.loads ?? []) loads.set(key, Promise.resolve({ ...load, bars: joined(load.bars) }));
  return {
    ...store,
    resolveSource(...args) {
      const key = args.join(' ');
      const found = sources.get(key) ?? store.resolveSource(...args);
      sources.set(key, found);
      return found;
    },
    load(query) {
      const key = JSON.stringify(query);
      const load = loads.get(key) ?? store.load(query);
      loads.set(key, load);
      return load;
    },
    async share() {
      return { sources: await settled(sources, (found) => found), loads: await settled(loads, shared) };
    },
  };
}

const joined = (bars: SharedBars) => (bars.memory === undefined ? viewBars(bars) : joinBars(bars.memory, bars));

const shared = (load: Loaded): SharedLoad => ({
  ...load,
  bars: { ...shareBars(load.bars), memory: ColumnMemory.of(load.bars.close)?.memory },
});

/** The answers that are no refusals. */
async function settled<T, U>(
  answers: ReadonlyMap<string, Promise<T>>,
  form: (answer: T) => U,
): Promise<Map<string, U>> {
  const all = await Promise.allSettled(answers.values());
  const keys = [...answers.keys()];
  return new Map(all.flatMap((one, k) => (one.status === 'fulfilled' ? [[keys[k] as string, form(one.value)]] : [])));
}

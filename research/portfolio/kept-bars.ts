import type { RunBars } from '../window-bars.js';

/** Bars that are read once: members that differ in their rules alone share one series. */
export function keptBars(store: RunBars): RunBars {
  const sources = new Map<string, ReturnType<RunBars['resolveSource']>>();
  const loads = new Map<string, ReturnType<RunBars['load']>>();
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
  };
}

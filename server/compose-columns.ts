import { openColumns } from '../data/columns/index.js';
import { fillColumns } from '../research/index.js';
import type { ServiceConfig } from './config.js';

/** Fetches what the sources have published of the columns that the settings name. */
export function composeColumns(config: ServiceConfig, sampleDir: string): { readonly upkeep: () => Promise<void> } {
  const columns = openColumns({ home: config.BARLINE_HOME, sampleDir });
  return {
    async upkeep() {
      const failures: unknown[] = [];
      for (const { asset, column } of config.BARLINE_COLUMNS) {
        const filling = fillColumns({ asset, columns: [column] }, { columns, sampleDir });
        await filling.catch((error: unknown) => failures.push(error)); // the others are filled all the same
      }
      if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join('; '));
    },
  };
}

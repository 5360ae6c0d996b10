import { join } from 'node:path';
import { openBars } from '../../data/bars/index.js';
import { type OpenSources, openColumnSources } from '../../data/column-sources/index.js';
import { openColumns } from '../../data/columns/index.js';
import { openStoredMarketData } from '../../data/providers/index.js';
import { GeneratedFlows, Ledger } from '../../data/upstreams/flows/index.js';
import { HourlyMarkets } from '../../data/upstreams/index.js';
import { fillColumns } from '../../research/index.js';
import type { Foundation } from '../capability.js';
import { openLive } from '../providers/index.js';
import type { ServiceConfig } from '../settings/config.js';

type SourceParts = Pick<Foundation, 'live' | 'bars' | 'market' | 'sampleDir'>;

/** The sources of columns beside the ports of a service. */
export const columnSourcesOver = ({ live, bars, market, sampleDir }: SourceParts): OpenSources =>
  openColumnSources({
    recordings: join(sampleDir, 'recordings'),
    ...live,
    generated: new GeneratedFlows(new Ledger(new HourlyMarkets({ store: bars, market }))),
    clock: Date.now,
  });

/** The same for a process that runs no service. */
export async function serviceColumnSources(config: ServiceConfig, sampleDir: string): Promise<OpenSources> {
  const bars = openBars({ home: config.BARLINE_HOME, sampleDir });
  const { adapters: live } = await openLive(config, join(sampleDir, 'recordings'));
  return columnSourcesOver({ live, bars, market: openStoredMarketData(bars), sampleDir });
}

/** Fetches what the sources have published of the columns that the settings name. */
export function openColumnFilling(
  { config, sampleDir }: Pick<Foundation, 'config' | 'sampleDir'>,
  sources: OpenSources,
) {
  const columns = openColumns({ home: config.BARLINE_HOME, sampleDir });
  return {
    methods: {},
    async upkeep(): Promise<void> {
      const failures: unknown[] = [];
      for (const { asset, column, source } of config.BARLINE_COLUMNS) {
        const filling = fillColumns({ asset, columns: [column], source }, { columns, sources });
        // The other columns are filled all the same.
        await filling.catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join('; '));
    },
  };
}

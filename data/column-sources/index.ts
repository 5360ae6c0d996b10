import { GENERATED } from '../columns/index.js';
import type { DefiHistoryPort } from '../upstreams/defi/index.js';
import type { FlowsPort } from '../upstreams/flows/index.js';
import type { SocialHistoryPort } from '../upstreams/social/index.js';
import type { WhalesPort } from '../upstreams/whales/index.js';
import { type DefiPaidPort, defiLlamaColumns } from './defi.js';
import { generatedColumns, lunarCrushColumns, nansenColumns, whaleAlertColumns } from './flows.js';
import { recordedColumns } from './recorded.js';
import type { ColumnSource } from './source.js';

export type { ColumnSource } from './source.js';

/** What sources read; null is a provider that is off. */
export interface ColumnPorts {
  /** Folder of the bundled recordings. */
  readonly recordings: string;
  readonly nansen: FlowsPort | null;
  readonly whaleAlert: WhalesPort | null;
  readonly lunarCrush: SocialHistoryPort | null;
  readonly defiLlama: DefiHistoryPort | null;
  readonly defiLlamaPro: DefiPaidPort | null;
  /** Flows drawn from a seed. */
  readonly generated: FlowsPort;
  /** The system clock, epoch ms. */
  readonly clock: () => number;
}

/** Opens every source by its name; null while its provider is off. */
export const columnSources: Readonly<Record<string, (ports: ColumnPorts) => ColumnSource | null>> = {
  recorded: ({ recordings }) => recordedColumns(recordings),
  nansen: ({ nansen }) => nansen && nansenColumns(nansen),
  'whale-alert': ({ whaleAlert }) => whaleAlert && whaleAlertColumns(whaleAlert),
  lunarcrush: ({ lunarCrush, clock }) => lunarCrush && lunarCrushColumns(lunarCrush, clock),
  defillama: ({ defiLlama: free, defiLlamaPro: paid, clock }) => free && defiLlamaColumns({ free, paid, clock }),
  [GENERATED]: ({ generated }) => generatedColumns(GENERATED, generated),
};

/** The sources by name, the first one with a column giving it. */
export type OpenSources = ReadonlyMap<string, ColumnSource | null>;

export const openColumnSources = (ports: ColumnPorts): OpenSources =>
  new Map(Object.entries(columnSources).map(([name, open]) => [name, open(ports)]));

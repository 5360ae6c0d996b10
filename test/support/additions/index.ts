import type { Edit } from '../../crash/tree-copy.js';
import { endpoint } from './endpoint.js';
import { indicator } from './indicator.js';
import { provider, providerServer } from './provider.js';
import { setting, settingLine } from './setting.js';
import { signal } from './signal.js';

interface Addition {
  readonly name: string;
  /** Files that it changes, as the table of CONTRIBUTING counts them. */
  readonly places: number;
  readonly edits: readonly Edit[];
}

/** One of everything that CONTRIBUTING has a recipe for. */
export const additions: readonly Addition[] = [
  {
    name: 'a setting: its line, its rule of both accounts, a golden case and a reference case',
    places: 5,
    edits: [...settingLine, ...setting],
  },
  {
    name: 'an indicator: its kernel with its record, a value from outside, a naive version and a line',
    places: 4,
    edits: indicator,
  },
  { name: 'a signal: its record, its condition and a naive version', places: 3, edits: signal },
  { name: 'an endpoint: its lines in the contract, a use case and cases', places: 3, edits: endpoint },
  {
    name: 'a provider: its file, its line and a server that speaks its format',
    places: 3,
    edits: [...provider, ...providerServer],
  },
];

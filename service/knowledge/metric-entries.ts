import { extendedMetricTable, metricTable } from '../../engine/metrics/index.js';
import { type Entry, facts, sentence } from './entry.js';

interface Shown {
  readonly unit: string;
  readonly description: string;
  readonly better?: string;
  readonly period?: string;
  readonly source?: string;
}

const betterText: Readonly<Record<string, string>> = { higher: 'higher values', lower: 'lower values' };

function metricEntry([name, { unit, description, better, period, source }]: [string, Shown]): Entry {
  const isExtended = period !== undefined;
  return {
    ...{ kind: 'metric', name, title: name, file: 'metrics.md' },
    summary: sentence(description),
    parts: [
      {
        title: 'Facts',
        text: facts({
          unit,
          'made of': period === undefined ? null : period === 'run' ? 'the run' : `${period}s`,
          better: better === undefined ? null : (betterText[better] ?? null),
          formula: source === undefined || source === 'definition' ? null : source,
          in: isExtended ? '`extended_metrics`' : '`metrics`',
        }),
      },
    ],
    tags: ['metric', isExtended ? 'extended' : 'result'],
    words: name.replaceAll('_', ' '),
  };
}

export const metricEntries = (): readonly Entry[] =>
  [...Object.entries<Shown>(metricTable), ...Object.entries<Shown>(extendedMetricTable)].map(metricEntry);

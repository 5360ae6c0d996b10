import { executionFieldNames, fieldOf, positionFieldNames, presetNames } from '../../engine/execution/index.js';
import { extendedMetricTable, metricTable } from '../../engine/metrics/index.js';
import { code, type Entry, facts, sentence } from './page.js';

/** A variable of the environment that the service reads. */
export interface ServiceSetting {
  readonly name: string;
  readonly description: string;
  /** What its value looks like, where that is not plain. */
  readonly form: string | null;
  /** Null without one. */
  readonly default: unknown;
}

const kinds: Readonly<Record<string, string>> = {
  pairs: 'list of pairs of numbers',
  interval: 'interval such as 5m or 1h',
};

function runSetting(name: (typeof executionFieldNames | typeof positionFieldNames)[number]): Entry {
  const field = fieldOf(name);
  const bounds = [
    ...(field.min === undefined ? [] : [`at least ${field.min}`]),
    ...(field.above === undefined ? [] : [`above ${field.above}`]),
    ...(field.max === undefined ? [] : [`at most ${field.max}`]),
    ...(field.below === undefined ? [] : [`below ${field.below}`]),
  ];
  return {
    ...{ kind: 'setting', name, title: name, file: 'settings.md' },
    summary: sentence(field.description),
    parts: [
      {
        title: 'Facts',
        text: facts({
          type: field.kind === 'enum' ? (field.values ?? []).map(code).join(' or ') : (kinds[field.kind] ?? field.kind),
          unit: field.unit ?? null,
          bounds: bounds.join(', '),
          default: code(field.default),
          null: field.nullable === true ? 'allowed' : null,
          section: field.section === null ? null : code(field.section),
          'on the command line': field.kind === 'object' ? null : code(`--config ${name}=VALUE`),
        }),
      },
    ],
    tags: ['setting', 'run', ...(field.section === null ? [] : [field.section])],
    words: name.replaceAll('_', ' '),
  };
}

const preset: Entry = {
  ...{ kind: 'setting', name: 'preset', title: 'preset', file: 'settings.md' },
  summary: 'A named set of settings, which the other settings of a run win over.',
  parts: [
    {
      title: 'Facts',
      text: facts({ type: presetNames.map(code).join(' or '), 'on the command line': code('--config preset=VALUE') }),
    },
    {
      title: 'Values',
      text:
        '- `signals-only`: the rules alone decide. No stop, target, cooldown or holding limit; one position with all ' +
        'cash ([an example](../getting-started.md#your-rules-alone)).',
    },
  ],
  tags: ['setting', 'run'],
  words: 'preset signals only',
};

const serviceSetting = ({ name, description, form, default: usual }: ServiceSetting): Entry => ({
  ...{ kind: 'setting', name, title: name, file: 'settings.md' },
  summary: sentence(description),
  parts: [
    {
      title: 'Facts',
      text: facts({ where: 'environment of the service', form, default: usual === null ? null : code(usual) }),
    },
  ],
  tags: ['setting', 'service'],
  words: name.toLowerCase().replaceAll('_', ' '),
});

/** The settings of a run, then the settings of the service. */
export const settingEntries = (service: readonly ServiceSetting[]): readonly Entry[] => [
  ...[...executionFieldNames, ...positionFieldNames].map(runSetting),
  preset,
  ...service.map(serviceSetting),
];

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

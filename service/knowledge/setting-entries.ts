import { executionFieldNames, fieldOf } from '../../engine/index.js';
import { code, type Entry, facts, sentence } from './entry.js';

/** A variable of the environment that the service reads. */
export interface ServiceSetting {
  readonly name: string;
  readonly description: string;
  /** What its value looks like, where that is not plain. */
  readonly form: string | null;
  /** Null without one. */
  readonly default: unknown;
}

function runSetting(name: (typeof executionFieldNames)[number]): Entry {
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
          type: field.kind === 'enum' ? (field.values ?? []).map(code).join(' or ') : field.kind,
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

/** The settings of a run, then those of the service. */
export const settingEntries = (service: readonly ServiceSetting[]): readonly Entry[] => [
  ...executionFieldNames.map(runSetting),
  ...service.map(serviceSetting),
];

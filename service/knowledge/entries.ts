import { executionFieldNames, fieldOf, positionFieldNames, presetNames } from '../../engine/execution/index.js';
import {
  type IndicatorName,
  indicatorCatalogue,
  indicatorFamily,
  indicatorFunctions,
  lineNames,
  type ParamSpec,
  resolveParams,
} from '../../engine/indicators/index.js';
import { extendedMetricTable, metricTable } from '../../engine/metrics/index.js';
import { indicatorNames, type Signal, signals } from '../../engine/signals/index.js';
import { searchTexts } from '../signals/index.js';
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

/** A parameter in words. */
function paramText(spec: ParamSpec): string {
  const usual = spec.default === undefined ? 'required' : `default ${code(spec.default)}`;
  switch (spec.type) {
    case 'int':
      return `whole number ${spec.min}..${spec.max}, ${usual}`;
    case 'float':
      return `number ${spec.min}..${spec.max}, ${usual}`;
    case 'bool':
      return `true or false, ${usual}`;
    case 'list[int]':
      return `list of whole numbers ${spec.min}..${spec.max} (${spec.note}), ${usual}`;
    case 'formula':
      return `${spec.note}, ${usual}`;
    case 'str': {
      const values = spec.enum === undefined ? [] : [`one of ${spec.enum.map(code).join(', ')}`];
      return [...values, ...(spec.note === undefined ? [] : [spec.note]), usual].join(', ');
    }
  }
}

function signalEntry(signal: Signal): Entry {
  const { name, aliases, category, subcategory, type, family, bias, requires, params, constraints, indicators } =
    signal;
  const given = Object.entries(params);
  const { meaning, indicators: titles } = searchTexts(signal);
  const rules = constraints.map(([left, operator, right]) => code(`${left} ${operator} ${right}`));
  return {
    ...{ kind: 'signal', name, title: name, file: `signals-${category}.md` },
    summary: sentence(signal.description),
    parts: [
      { title: 'Definition', text: sentence(`True at bar t where ${code(signal.definition)}`) },
      {
        title: 'Facts',
        text: facts({
          type: type === 'TRIGGER' ? '`TRIGGER`, an event' : '`FILTER`, a state',
          family: family.replaceAll('_', ' '),
          direction: bias.replaceAll('_', ' '),
          'other names': aliases.map(code).join(', '),
          columns: requires.map(code).join(', '),
          'bars needed with its defaults': barsNeeded(signal),
          indicators: indicators
            .map((indicator) => `[${indicator}](indicators.md#${indicator.toLowerCase()})`)
            .join(', '),
        }),
      },
      {
        title: 'Parameters',
        text:
          given.length === 0
            ? 'None.'
            : [
                facts(Object.fromEntries(given.map(([param, spec]) => [code(param), paramText(spec)]))),
                ...(rules.length === 0 ? [] : [`\nMust hold: ${rules.join(', ')}.`]),
              ].join('\n'),
      },
    ],
    tags: [
      ...['signal', category, type.toLowerCase(), family, bias, ...(subcategory === undefined ? [] : [subcategory])],
    ].filter((tag) => tag !== 'none'),
    words: [...aliases, meaning, titles, bias].join(' '),
  };
}

/** Null where parameters have no default. */
function barsNeeded(signal: Signal): string | null {
  const isComplete = Object.values(signal.params).every((spec) => spec.default !== undefined);
  return isComplete ? String(signal.minBars(resolveParams(signal, {}))) : null;
}

export const signalEntries = (): readonly Entry[] => signals.map(signalEntry);

function indicatorEntry(name: IndicatorName): Entry {
  const { title, formula, params, takesColumn } = indicatorCatalogue[name];
  const given = [
    ...Object.entries(params).map(([param, spec]) => [code(param), paramText(spec)]),
    ...(takesColumn ? [[code('column'), 'name of the column that it reads, default `"close"`']] : []),
  ];
  const users = signals.filter(({ indicators }) => indicators.includes(name));
  const functions = [...indicatorFunctions].filter(([, { indicator }]) => indicator === name);
  return {
    ...{ kind: 'indicator', name, title: `${name}: ${title}`, file: 'indicators.md' },
    summary: sentence(title),
    parts: [
      { title: 'Formula', text: code(formula) },
      { title: 'Lines', text: sentence(lineNames(name).map(code).join(', ')) },
      { title: 'Parameters', text: given.length === 0 ? 'None.' : facts(Object.fromEntries(given)) },
      {
        title: 'Used by',
        text: facts({
          'functions of [formulas](../formulas.md)': functions.map(([name]) => code(name)).join(', '),
          signals: users.map((user) => `[${user.name}](signals-${user.category}.md#${user.name})`).join(', '),
        }),
      },
    ].filter(({ text }) => text !== ''),
    tags: ['indicator', indicatorFamily(name)],
    words: functions.map(([name, { meaning }]) => `${name} ${meaning}`).join(' '),
  };
}

export const indicatorEntries = (): readonly Entry[] => indicatorNames.map(indicatorEntry);

import {
  type IndicatorName,
  indicatorCatalogue,
  indicatorFamily,
  indicatorFunctions,
  lineNames,
  type ParamSpec,
  resolveParams,
} from '../../engine/indicators/index.js';
import { indicatorNames, type Signal, signals } from '../../engine/signals/index.js';
import { searchTexts } from '../signals/index.js';
import { code, type Entry, facts, sentence } from './page.js';

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

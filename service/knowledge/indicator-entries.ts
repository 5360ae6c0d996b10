import {
  type IndicatorName,
  indicatorCatalogue,
  indicatorFamily,
  indicatorFunctions,
  lineNames,
} from '../../engine/indicators/index.js';
import { indicatorNames, signals } from '../../engine/signals/index.js';
import { code, type Entry, facts, sentence } from './entry.js';
import { paramText } from './signal-entries.js';

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

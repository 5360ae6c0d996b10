import {
  type IndicatorName,
  indicatorCatalogue,
  indicatorFamilies,
  indicatorFamily,
  lineNames,
  type ParamSpec,
} from '../../engine/indicators/index.js';
import type { Signal, SignalCategory, SignalType } from '../../engine/signals/index.js';
import { wrongValue } from '../api-error.js';
import { isListed, paramRecord, signalRecord } from '../signals/index.js';

/** Filters in any case; absent ones take everything. */
export interface CatalogueRequest {
  readonly category?: string | null | undefined;
  readonly signal_type?: string | null | undefined;
}

const categories: readonly SignalCategory[] = [
  ...(['momentum', 'trend', 'volume', 'volatility', 'patterns', 'onchain', 'user'] as const),
];
const types: readonly SignalType[] = ['TRIGGER', 'FILTER'];

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

function oneOf<T extends string>(field: string, values: readonly T[], given: string | null | undefined): T | null {
  if (given === undefined || given === null) return null;
  const found = values.find((value) => value.toLowerCase() === given.toLowerCase());
  if (found === undefined) throw wrongValue(field, `one of ${values.join(', ')}`, given);
  return found;
}

/** @throws VALIDATION_ERROR for an unknown category or type */
export function filterSignals(signals: readonly Signal[], request: CatalogueRequest): readonly Signal[] {
  const category = oneOf('category', categories, request.category);
  const type = oneOf('signal_type', types, request.signal_type);
  return signals.filter((signal) => isListed(signal, category) && (type === null || signal.type === type));
}

export function toSignalRecord(signal: Signal) {
  const { name, category, type, metadata } = signalRecord(signal);
  const { description, requires } = metadata;
  const params: Readonly<Record<string, object>> = metadata.params;
  return { name, category: capital(category), signal_type: type, description, params, requires: [...requires] };
}

/** @throws VALIDATION_ERROR for an unknown category */
export function filterIndicators(
  names: readonly IndicatorName[],
  { category }: Pick<CatalogueRequest, 'category'>,
): readonly IndicatorName[] {
  const family = oneOf('category', indicatorFamilies, category);
  return names.filter((name) => family === null || indicatorFamily(name) === family);
}

const columnParam: ParamSpec & { readonly default?: unknown } = {
  type: 'str',
  note: 'name of the column of data that it reads; close by default',
};

export function indicatorRecord(name: IndicatorName) {
  const { title, formula, params, takesColumn } = indicatorCatalogue[name];
  const given: [string, ParamSpec][] = [
    ...Object.entries(params),
    ...(takesColumn ? ([['column', columnParam]] as [string, ParamSpec][]) : []),
  ];
  return {
    ...{ name, category: capital(indicatorFamily(name)), description: `${title}. ${formula}` },
    params: Object.fromEntries(given.map(([param, spec]) => [param, toParamRecord(spec, param)])),
    outputs: lineNames(name),
  };
}

const toParamRecord = (spec: ParamSpec, name: string): object =>
  name === 'column' ? { ...paramRecord(spec, []), default: 'close', optional: true } : paramRecord(spec, []);

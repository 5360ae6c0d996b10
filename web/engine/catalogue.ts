import { type ExecutionField, executionFields } from '../../engine/execution/index.js';
import { indicatorFunctions, type ParamSpec } from '../../engine/indicators/index.js';
import { apiTimeframes } from '../../engine/series/index.js';
import { signals } from '../../engine/signals/index.js';
import type { Catalogue, FieldSpec } from './protocol.js';

/** What can be written in a strategy, from the records that the engine itself reads. */
export const describeCatalogue = (): Catalogue => ({
  signals: signals.map(({ name, type, category, bias, description, definition, fitsAnyRole, requires, params }) => ({
    ...{ name, type, category, bias, description, definition, requires },
    fitsAnyRole: fitsAnyRole === true,
    params: Object.entries(params).map(([param, spec]) => paramField(param, spec)),
  })),
  settings: Object.entries<ExecutionField>(executionFields).map(([name, field]) => settingField(name, field)),
  functions: [...indicatorFunctions].map(([name, { takesColumn, params, meaning }]) => ({
    name,
    signature: [...(takesColumn ? ['column'] : []), ...params.map((param) => param.name)].join(', '),
    meaning,
  })),
  timeframes: apiTimeframes,
});

function paramField(name: string, spec: ParamSpec): FieldSpec {
  const field = { name, default: spec.default, description: 'note' in spec ? (spec.note ?? '') : '' };
  switch (spec.type) {
    case 'int':
    case 'float':
      return { ...field, kind: spec.type === 'int' ? 'integer' : 'number', min: spec.min, max: spec.max };
    case 'bool':
      return { ...field, kind: 'boolean' };
    case 'str':
      return spec.enum === undefined ? { ...field, kind: 'text' } : { ...field, kind: 'choice', choices: spec.enum };
    case 'formula':
      return { ...field, kind: 'text' };
    case 'list[int]':
      return { ...field, kind: 'other', min: spec.min, max: spec.max };
  }
}

function settingField(name: string, { kind, values, nullable, section, ...rest }: ExecutionField): FieldSpec {
  const { min, max, above, below, unit, description, default: standard } = rest;
  return {
    ...{ name, min, max, above, below, unit, description: description ?? '', default: standard },
    kind: KINDS[kind],
    choices: values,
    isNullable: nullable,
    section: section ?? undefined,
  };
}

const KINDS = {
  number: 'number',
  integer: 'integer',
  boolean: 'boolean',
  enum: 'choice',
  interval: 'text',
  object: 'other',
  pairs: 'other',
} as const satisfies Record<ExecutionField['kind'], FieldSpec['kind']>;

import type { ParamSpec, ParamValue, ParamValues } from '../../engine/indicators/params.js';
import { onchainColumns } from '../../engine/series/bars.js';
import type { Signal } from '../../engine/signals/signal.js';
import { writtenOut } from '../reference/signals-formula.js';

/**
 * Random legal parameters of a signal: two in five keep their default, and windows are mostly small
 * so that short series answer.
 */
export function randomParams(signal: Signal, random: () => number): ParamValues {
  for (let attempt = 0; attempt < 1_000; attempt++) {
    const values: Record<string, ParamValue> = {};
    for (const [name, spec] of Object.entries(signal.params)) values[name] = randomValue(spec, random);
    // The written out formulas have one parameter, n.
    if (/\bn\b/.test(String(values.when))) values.n = 2 + Math.floor(random() * 40);
    const legal = signal.constraints.every(([a, operator, b]) =>
      operator === '<' ? values[a] < values[b] : values[a] <= values[b],
    );
    if (legal) return values;
  }
  throw new Error(`no legal parameters of ${signal.name} found`);
}

function randomValue(spec: ParamSpec, random: () => number): ParamValue {
  const isDefault = random() < 0.4;
  if (isDefault && spec.default !== undefined) return spec.default;
  switch (spec.type) {
    case 'int': {
      const top = Math.min(spec.max, spec.min + (random() < 0.5 ? 6 : 40));
      return spec.min + Math.floor(random() * (top - spec.min + 1));
    }
    case 'float':
      return spec.min + random() * (spec.max - spec.min);
    case 'bool':
      return random() < 0.5;
    case 'str':
      return spec.enum === undefined ? randomColumn(random) : spec.enum[Math.floor(random() * spec.enum.length)];
    case 'formula': {
      const formulas = Object.keys(writtenOut);
      return formulas[Math.floor(random() * formulas.length)]!;
    }
    case 'list[int]': {
      const list = [2 + Math.floor(random() * 4)];
      while (list.length < 4) list.push(list[list.length - 1] + 1 + Math.floor(random() * 8));
      return list;
    }
  }
}

const randomColumn = (random: () => number): string => onchainColumns[Math.floor(random() * onchainColumns.length)];

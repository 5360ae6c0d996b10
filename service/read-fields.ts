import { wrongValue } from './api-error.js';

/** @throws ApiError INVALID_FIELD for anything but a whole number within the bounds */
export function readInteger(
  field: string,
  value: number | undefined,
  { min, max, ifAbsent }: { readonly min: number; readonly max: number; readonly ifAbsent: number },
): number {
  const number = value ?? ifAbsent;
  if (Number.isInteger(number) && number >= min && number <= max) return number;
  throw wrongValue(field, `an integer ${min}..${max}`, number, 'INVALID_FIELD');
}

/** @throws ApiError INVALID_FIELD for a text that is not a choice, MISSING_FIELD without one */
export function readChoice<T extends string>(field: string, value: string | undefined, choices: readonly T[]): T {
  const choice = choices.find((each) => each === value);
  if (choice !== undefined) return choice;
  throw wrongValue(field, `one of ${choices.join(', ')}`, value, 'INVALID_FIELD');
}

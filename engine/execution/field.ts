import type { FieldBounds } from './bounds.js';
import type { CooldownConfig } from './cooldown-config.js';

/** A line of the table of settings. */
export interface ExecutionField extends FieldBounds {
  readonly default: number | boolean | string | CooldownConfig | null;
  /** Section of the published trading defaults that shows it; null where none does. */
  readonly section: string | null;
  /** Column of result rows, where it has another name. */
  readonly column?: string;
}

/** Something that `resolveConfig` adds. */
export interface ResolvedField extends FieldBounds {
  /** The setting that it stands for in result rows. */
  readonly of?: string;
}

export type FieldValue<F extends FieldBounds> =
  | (F extends { readonly values: readonly (infer V)[] }
      ? V
      : F['kind'] extends 'boolean'
        ? boolean
        : F['kind'] extends 'object'
          ? CooldownConfig
          : number)
  | (F extends { readonly nullable: true } ? null : never);

import type { FieldBounds } from './bounds.js';
import type { CooldownConfig } from './cooldown-config.js';

/** A line of the table `executionFields`. */
export interface ExecutionField extends FieldBounds {
  readonly default: number | boolean | string | CooldownConfig | null;
  /**
   * Section of the published trading defaults that lists the setting; null when it is not listed.
   */
  readonly section: string | null;
  /** Name of its column in result rows, where it differs from the setting. */
  readonly column?: string;
  /**
   * The identity of a run leaves the setting out while it has its default, so that runs stored
   * before there was such a setting keep theirs.
   */
  readonly isUnhashedDefault?: true;
}

/** A field that `resolveConfig` adds. */
export interface ResolvedField extends FieldBounds {
  /** The setting that it replaces in result rows. */
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

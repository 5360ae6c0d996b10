import type { FieldBounds } from './bounds.js';
import type { CooldownConfig } from './cooldown-config.js';

/**
 * What the fast path of sweeps does with a setting. `read`: it obeys the setting. `default`: it
 * covers runs with the default, and the others go through `simulate`. `indirect`: the setting
 * reaches it through a column or another setting, or has no effect on the runs that it covers.
 */
type FastPath = 'read' | 'default' | 'indirect';

/** A line of the table `executionFields`. */
export interface ExecutionField extends FieldBounds {
  readonly default: number | boolean | string | CooldownConfig | null;
  /** Required, so that the compiler asks for it where a setting is added. */
  readonly fastPath: FastPath;
  /**
   * Section of the published trading defaults that lists the setting; null when it is not listed.
   */
  readonly section: string | null;
  /** Name of its column in result rows, where it differs from the setting. */
  readonly column?: string;
  /**
   * The identity of a run in a sweep leaves the setting out while it has its default, so that rows
   * stored before there was such a setting keep theirs.
   */
  readonly isUnhashedDefault?: true;
}

/** A field that `resolveConfig` adds. The fast path reads all of them. */
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

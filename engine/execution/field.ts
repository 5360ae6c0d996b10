import type { FieldBounds } from './bounds.js';
import type { CooldownConfig } from './cooldown-config.js';

/** Ascending pairs of numbers, such as `[[0, 0.06], [24, 0.02]]`. */
export type NumberPairs = readonly (readonly [at: number, value: number])[];

/**
 * What the fast path of sweeps does with a setting. `simulate` and `step` obey every setting. `read`: it obeys the setting. `default`: it
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
  /**
   * A resolved config holds the setting only where it differs from its default, and so do hashes,
   * stored and echoed configs. It is one of `positionFields`, which not every run takes.
   */
  readonly isLeftOut?: true;
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
          : F['kind'] extends 'pairs'
            ? NumberPairs
            : F['kind'] extends 'interval'
              ? string
              : number)
  | (F extends { readonly nullable: true } ? null : never);

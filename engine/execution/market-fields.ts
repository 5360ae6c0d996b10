import type { ExecutionField } from './field.js';

/** Settings of what the market gives and takes, a part of the table `executionFields`. */
export const marketFields = {
  max_volume_share: {
    kind: 'number',
    nullable: true,
    above: 0,
    max: 1,
    section: null,
    default: null,
    fastPath: 'read',
    isUnhashedDefault: true,
    unit: 'fraction of the volume of the bar before the entry',
    description: 'largest size of one entry; no cap when null',
  },
  funding: {
    kind: 'boolean',
    section: null,
    default: true,
    fastPath: 'read',
    isUnhashedDefault: true,
    description: 'positions held at the close of a bar pay the funding rates settled in it, where the bars have them',
  },
} as const satisfies Readonly<Record<string, ExecutionField>>;

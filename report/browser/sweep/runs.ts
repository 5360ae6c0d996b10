import type { MetricData, ParameterData, SweepData } from '../../page-data.js';
import { unpack } from '../page.js';

/** The runs of the page, by column. */
export interface SweepRuns {
  /** Number of each run in the sweep. */
  readonly runs: Uint32Array;
  /** By run: 1 for one with too few trades to lead. */
  readonly isFew: Uint8Array;
  readonly axesMax: number;
  readonly metrics: readonly Metric[];
  readonly parameters: readonly Parameter[];
}

export type Metric = Omit<MetricData, 'values'> & { readonly values: Float32Array };
export type Parameter = Omit<ParameterData, 'codes'> & { readonly codes: Uint8Array | Uint16Array };

export const readSweep = ({ runs, isFew, axesMax, metrics, parameters }: SweepData): SweepRuns => ({
  runs: new Uint32Array(unpack(runs).buffer),
  isFew: unpack(isFew),
  axesMax,
  metrics: metrics.map((metric) => ({ ...metric, values: new Float32Array(unpack(metric.values).buffer) })),
  parameters: parameters.map((parameter) => {
    const bytes = unpack(parameter.codes);
    return { ...parameter, codes: parameter.isWide ? new Uint16Array(bytes.buffer) : bytes };
  }),
});

/** The value group of a run; -1 if the run lacks the parameter. */
export const valueGroup = ({ codes, groupOf: groups }: Pick<Parameter, 'codes' | 'groupOf'>, i: number): number =>
  codes[i] === 0 ? -1 : groups[codes[i] - 1];

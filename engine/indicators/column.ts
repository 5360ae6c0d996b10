import type { Kernels } from '../simd/kernels.js';

/**
 * A column as data: either a column of the bars, or a kernel applied to other columns. Building one
 * computes nothing. Equal columns have equal keys, so a Frame evaluates a column once per series
 * however many signals name it.
 */
export type Column = SourceColumn | KernelColumn;

/** A price or the volume, `time`, or a further column of the series. */
export type SourceName = string;

interface SourceColumn {
  readonly kind: 'source';
  readonly key: string;
  readonly name: SourceName;
}

interface KernelColumn {
  readonly kind: 'kernel';
  readonly key: string;
  readonly kernel: Kernel;
  readonly inputs: readonly Column[];
  readonly params: readonly number[];
  /** Which of the kernel's outputs this column is. */
  readonly output: number;
}

/**
 * A loop over whole columns. Inputs are oldest first and never written. Outputs have the length of
 * the inputs and are written in full, since they may hold old values. NaN means "no value at this
 * bar" (warm-up, or a formula undefined there). Value t reads bars 0..t only, and has the same bits
 * however many bars follow.
 */
export interface Kernel {
  readonly name: string;
  readonly outputCount: number;
  readonly run: (inputs: readonly Float64Array[], params: readonly number[], outputs: readonly Float64Array[]) => void;
  /** The same loop one bar at a time; null where it runs over columns only. */
  readonly stream: OpenStream | null;
  /** The same loop in WebAssembly, equal bit for bit; null where it would not be faster. */
  readonly simd: SimdLoop | null;
}

/** Begins a stream at bar 0. */
export type OpenStream = (params: readonly number[], kernel: Kernel) => NextBar;

/**
 * A kernel one bar at a time: takes the inputs of one bar and writes the outputs of that bar, which
 * have the same bits as the kernel's columns at that bar. The inputs are read before it returns and
 * never kept as an array.
 */
export type NextBar = (inputs: Float64Array, outputs: Float64Array) => void;

/** A loop that receives columns of `length` bars as offsets in the memory of the kernels. */
export type SimdLoop = (
  kernels: Kernels,
  length: number,
  inputs: readonly number[],
  params: readonly number[],
  outputs: readonly number[],
) => void;

export const source = (name: SourceName): SourceColumn => ({ kind: 'source', key: name, name });

export const open = source('open');
export const high = source('high');
export const low = source('low');
export const close = source('close');
export const volume = source('volume');

/** Key of all outputs of one kernel application; the frame caches them together. */
export const applicationKey = ({ kernel, inputs, params }: KernelColumn): string =>
  `${kernel.name}(${[...inputs.map((input) => input.key), ...params].join(',')})`;

/** The outputs of `kernel` over `inputs`, in the kernel's order. */
export function columnsOf(kernel: Kernel, inputs: readonly Column[], params: readonly number[]): KernelColumn[] {
  const key = `${kernel.name}(${[...inputs.map((input) => input.key), ...params].join(',')})`;
  return Array.from({ length: kernel.outputCount }, (_, output) => ({
    kind: 'kernel',
    key: kernel.outputCount === 1 ? key : `${key}#${output}`,
    kernel,
    inputs,
    params,
    output,
  }));
}

/** The column of a kernel with one output. */
export const columnOf = (kernel: Kernel, inputs: readonly Column[], params: readonly number[] = []): KernelColumn =>
  columnsOf(kernel, inputs, params)[0];

export const defineKernel = (
  name: string,
  stream: OpenStream | null,
  run: Kernel['run'],
  { outputCount = 1, simd = null }: Partial<Pick<Kernel, 'outputCount' | 'simd'>> = {},
): Kernel => ({ name, outputCount, run, stream, simd });

import type { ObjectSchema } from '../http/index.js';
import type { CallOptions, MethodName, RpcClient } from '../rpc/index.js';
import type { SetName } from './tool-sets.js';

/** A call of a tool by one caller. */
export interface ToolCall {
  readonly args: Readonly<Record<string, unknown>>;
  readonly rpc: RpcClient;
  /** Credential and address of the caller. */
  readonly options: CallOptions;
  /** Aborted when the client cancels the call. */
  readonly signal: AbortSignal;
  /** Tells the client how far the work is, if it wants to know. */
  progress(step: Progress): Promise<void>;
}

export interface Progress {
  /** Grows with each step. */
  readonly done: number;
  readonly total?: number | undefined;
  readonly message: string;
}

/** Hints for clients that ask people before a call. */
interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

export interface Tool {
  readonly name: string;
  readonly set: SetName;
  /** What the caller must be allowed to call. */
  readonly methods: readonly MethodName[];
  readonly title: string;
  readonly description: string;
  readonly input: ObjectSchema;
  readonly output: ObjectSchema;
  readonly hints: ToolHints;
  /**
   * @throws ApiError as the service answers it, or VALIDATION_ERROR for arguments
   */
  act(call: ToolCall): Promise<object>;
}

/**
 * Reads the arguments of a call. As over REST, a caller without access gets that refusal before any
 * complaint about the arguments.
 */
export async function readOrRefuse<T>(
  { rpc, options }: Pick<ToolCall, 'rpc' | 'options'>,
  methods: readonly MethodName[],
  read: () => T,
): Promise<T> {
  try {
    return read();
  } catch (error) {
    for (const method of methods) await rpc.call('Auth.CheckAccess', { method }, options);
    throw error;
  }
}

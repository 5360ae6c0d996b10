import type { Methods } from './generated/types.js';

/**
 * The messages of the contract as plain objects, in their four forms. `M` is a message type of the
 * contract, in which an optional field may be missing and every other field is present.
 *
 * For a field that holds JSON, null and absent differ: a null is sent, an absent field is not. For
 * every other field, null means absent.
 */

/** Name of a method in tables, logs and metrics, such as `Strategies.Create`. */
export type MethodName = keyof Methods;
export type ServiceName = MethodName extends `${infer Service}.${string}` ? Service : never;
export type MethodsOf<S extends ServiceName> = Extract<MethodName, `${S}.${string}`>;

/** Methods that answer with a stream. */
export type StreamName = { [M in MethodName]: Methods[M]['isStream'] extends true ? M : never }[MethodName];
export type UnaryName = Exclude<MethodName, StreamName>;

/** What a caller sends. */
export type RequestOf<M extends MethodName> = Sent<Methods[M]['request']>;
/** What the use case receives. */
export type ReceivedOf<M extends MethodName> = Received<Methods[M]['request']>;
/** What the use case answers: the reply, or one part of a stream. */
export type AnswerOf<M extends MethodName> = Answered<Methods[M]['reply']>;
/** What a caller receives. */
export type ReplyOf<M extends MethodName> = Read<Methods[M]['reply']>;

/** All fields may be left out: the server knows the defaults and names missing fields. */
type Sent<M> = M extends Uint8Array
  ? M
  : M extends readonly (infer Item)[]
    ? readonly Sent<Item>[]
    : M extends object
      ? { readonly [Field in keyof M]?: Sent<M[Field]> | null | undefined }
      : M;

/**
 * A field that was not sent is absent if it is optional or a message; otherwise it has the default
 * of its type.
 */
type Received<M> = M extends Uint8Array
  ? M
  : M extends readonly (infer Item)[]
    ? readonly Received<Item>[]
    : M extends object
      ? { readonly [Field in keyof M as IsMessage<M[Field]> extends true ? never : Field]: Received<M[Field]> } & {
          readonly [Field in keyof M as IsMessage<M[Field]> extends true ? Field : never]?: Received<M[Field]>;
        }
      : M;

/** An optional field may be null or left out; both mean the same. */
type Answered<M> = M extends Uint8Array
  ? M
  : M extends readonly (infer Item)[]
    ? readonly Answered<Item>[]
    : M extends object
      ? { readonly [Field in keyof M]: Answered<M[Field]> | OrUnset<M, Field> }
      : M;

/** Every field is present; an optional field that was not set is null. */
type Read<M> = M extends Uint8Array
  ? M
  : M extends readonly (infer Item)[]
    ? readonly Read<Item>[]
    : M extends object
      ? {
          readonly [Field in keyof M]-?:
            | Read<Exclude<M[Field], undefined>>
            | (IsOptional<M, Field> extends true ? null : never);
        }
      : M;

type IsOptional<M, Field extends keyof M> = Pick<M, Field> extends Required<Pick<M, Field>> ? false : true;
type OrUnset<M, Field extends keyof M> = IsOptional<M, Field> extends true ? null | undefined : never;
/**
 * True for a field of a message type, which has no default value. Bytes and lists are not messages.
 */
type IsMessage<Value> = Value extends Uint8Array | readonly unknown[] ? false : Value extends object ? true : false;

/** What a caller may set for one call. */
export interface CallerOptions {
  readonly idempotencyKey?: string | undefined;
  readonly requestId?: string | undefined;
  /** Default 60 s; null for a stream without an end. */
  readonly deadlineMs?: number | null | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Reply<M extends UnaryName> {
  /** Plain JSON; unset fields of the message are null. */
  readonly body: ReplyOf<M>;
  /** True for the answer of an earlier call with the same idempotency key. */
  readonly isReplayed: boolean;
  /** Units that the call counted as; null if its method is not metered. */
  readonly billedUnits: number | null;
  /** What became of the payment for the call, as its header; null if it was not paid for. */
  readonly paymentResponse: string | null;
}

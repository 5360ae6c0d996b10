import type { Methods } from './generated/contract.js';

/**
 * The messages of the contract as plain objects, in the four forms that they pass through. `M` is a
 * message as the contract states it: an optional field may be missing, and every other one is
 * there.
 *
 * Absent and null are two things where a field holds JSON: a value of null travels, a field left
 * out does not. Every other field is either set or not, and null leaves it out.
 */

/** `Strategies.Create`: what a method is called in tables, logs and metrics. */
export type MethodName = keyof Methods;
export type ServiceName = MethodName extends `${infer Service}.${string}` ? Service : never;
export type MethodsOf<S extends ServiceName> = Extract<MethodName, `${S}.${string}`>;

/** Methods that answer with a stream. */
export type StreamName = { [M in MethodName]: Methods[M]['isStream'] extends true ? M : never }[MethodName];
export type UnaryName = Exclude<MethodName, StreamName>;

/** What a caller of a method sends. */
export type RequestOf<M extends MethodName> = Sent<Methods[M]['request']>;
/** What the use case behind a method is given. */
export type ReceivedOf<M extends MethodName> = Received<Methods[M]['request']>;
/** What the use case behind a method answers, as a whole or in each part of a stream. */
export type AnswerOf<M extends MethodName> = Answered<Methods[M]['reply']>;
/** What a caller of a method reads. */
export type ReplyOf<M extends MethodName> = Read<Methods[M]['reply']>;

/** Every field may be left out: the server knows the defaults and says what is missing. */
type Sent<M> = M extends Uint8Array
  ? M
  : M extends readonly (infer Item)[]
    ? readonly Sent<Item>[]
    : M extends object
      ? { readonly [Field in keyof M]?: Sent<M[Field]> | null | undefined }
      : M;

/**
 * What was left out is absent where the field is optional or a message, and the default of its type
 * elsewhere.
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

/** An optional field may be null, or left out, which comes to the same. */
type Answered<M> = M extends Uint8Array
  ? M
  : M extends readonly (infer Item)[]
    ? readonly Answered<Item>[]
    : M extends object
      ? { readonly [Field in keyof M]: Answered<M[Field]> | OrUnset<M, Field> }
      : M;

/** Every field is there; an optional one that was not set is null. */
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
/** Neither bytes nor a list: a field of the type of a message, which has no default of its own. */
type IsMessage<Value> = Value extends Uint8Array | readonly unknown[] ? false : Value extends object ? true : false;

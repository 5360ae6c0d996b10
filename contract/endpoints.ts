import { endpoints } from './generated/endpoints.js';
import type { MethodName } from './messages.js';

/** What the annotations of the contract say of a method. */
export interface Endpoint {
  /** One line, without a full stop. */
  readonly summary: string;
  readonly description: string;
  /** Heading in the documents. */
  readonly tag: string;
  readonly access: Access;
  /** Name of a meter; null for calls that are not counted. */
  readonly meter: string | null;
  /**
   * Failure codes in addition to the codes that follow from access, meter and form of the request.
   */
  readonly errors: readonly string[];
  /** Code of a refused value. */
  readonly badValue: string;
  /** HTTP status of the answer. */
  readonly status: number;
  /** True if the JSON answer gets no `success: true` of the translation's own. */
  readonly isPlain: boolean;
  /** Fields of the request that REST does not take. */
  readonly hidden: readonly string[];
  readonly tool: ToolNote | null;
  /** A request to try; empty where its path says it whole. */
  readonly example: Readonly<Record<string, unknown>>;
  /** Paths over HTTP, the canonical one first; none for a method of gRPC alone. */
  readonly bindings: readonly Binding[];
  /** Names of the messages. */
  readonly request: string;
  readonly reply: string;
  readonly isStream: boolean;
}

/**
 * What a method requires: a scope, or nothing (`public`), nothing unless calls are sold to wallets
 * and then a credential or a payment (`payable`), any valid credential (`credential`), a session
 * rather than a key (`session`), or a credential and the management key (`management`).
 */
export type Access = 'public' | 'payable' | 'credential' | 'session' | 'management' | `${string}:${string}`;

/** One path of a method. */
export interface Binding {
  readonly verb: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** From the root of the server, with parameters in braces: `/api/v1/strategies/{strategy_id}`. */
  readonly path: string;
  /** `*` if the body is the request, or the field that it is; absent if there is no body. */
  readonly body?: string;
  /** The field of the reply that is the whole answer. Default: all of it. */
  readonly responseBody?: string;
  /** True for a former path. */
  readonly isDeprecated: boolean;
}

/** A method as a tool for agents. */
export interface ToolNote {
  readonly set: string;
  /** What follows the name of the set. Default: the name of the method, such as `get_status`. */
  readonly name?: string;
  /** A sentence for agents, about when to call it or what to call next. */
  readonly advice?: string;
  /** True for a POST that stores nothing. A GET never does. */
  readonly isRead: boolean;
}

/** Every method of the contract. */
export const methodNames = Object.keys(endpoints) as readonly MethodName[];

export const isMethod = (name: string): name is MethodName => Object.hasOwn(endpoints, name);

export const endpointOf = (method: MethodName): Endpoint => endpoints[method];

type MeterName = Exclude<(typeof endpoints)[MethodName]['meter'], null>;

/** The meter that each call of a method counts on; null for a method whose calls are free. */
export const meterName = (method: MethodName): MeterName | null => endpoints[method].meter;

/** What comments and annotations say of a message. */
export interface MessageFacts {
  readonly comment: string;
  /** True if JSON leaves out unset fields, and keeps nulls. */
  readonly isSparse: boolean;
  /** True if JSON has the values of its fields as a list, in their order. */
  readonly isTuple?: boolean;
  /** True if JSON may have keys that its fields do not declare. */
  readonly isOpen: boolean;
  /** True if it holds any JSON that its fields cannot, for the use case to judge. */
  readonly hasRest: boolean;
  /** By key in JSON. */
  readonly fields: Readonly<Record<string, FieldFacts>>;
}

/** What comments and annotations say of a field; `protos/barline/options.proto` explains the rules. */
export interface FieldFacts {
  readonly comment: string;
  /** A type of the language; `message`; or `Struct`, `Value` or `ListValue` for any JSON. */
  readonly type: string;
  /** Name of the message that it holds. */
  readonly message?: string;
  readonly isList?: boolean;
  /** True for values by name. */
  readonly isMap?: boolean;
  readonly isOptional?: boolean;
  readonly in?: readonly string[];
  readonly default?: unknown;
  readonly format?: string;
  /** A value to try, of a field in a path. */
  readonly example?: string;
  readonly required?: boolean;
  readonly gt?: number;
  readonly gte?: number;
  readonly lt?: number;
  readonly lte?: number;
  readonly isWhole?: boolean;
  readonly minLen?: number;
  readonly maxLen?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly omitUnset?: boolean;
  readonly isNullable?: boolean;
  readonly isUnchecked?: boolean;
  readonly keepsNull?: boolean;
  readonly isRepeatable?: boolean;
  readonly cookie?: string;
  readonly refused?: string;
  readonly jsonItems?: string;
  readonly json?: readonly string[];
  readonly mayChoose?: boolean;
  readonly omitEmpty?: boolean;
}

export { messageFacts } from './generated/fields.js';

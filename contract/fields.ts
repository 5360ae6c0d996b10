/** What comments and annotations say of a message. */
export interface MessageFacts {
  readonly comment: string;
  /** True if JSON leaves out unset fields, and keeps nulls. */
  readonly isSparse: boolean;
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

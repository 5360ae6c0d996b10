/** The contract: what the files in `protos/` declare of methods, messages and fields. */
export {
  type Access,
  type Binding,
  type Endpoint,
  endpointOf,
  type FieldFacts,
  isMethod,
  type MessageFacts,
  messageFacts,
  meterName,
  methodNames,
  type ToolNote,
} from './endpoints.js';
export type * from './messages.js';

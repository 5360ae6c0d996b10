/** The contract: what the files in `protos/` declare of methods, messages and fields. */
export {
  type Access,
  type Binding,
  type Endpoint,
  endpointOf,
  isMethod,
  meterName,
  methodNames,
  type ToolNote,
} from './endpoints.js';
export { type FieldFacts, type MessageFacts, messageFacts } from './fields.js';
export type * from './messages.js';

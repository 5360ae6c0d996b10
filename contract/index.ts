/** The contract: what the files in `protos/` declare of methods, messages and fields. */
export {
  type Access,
  endpointOf,
  isMethod,
  meterNameOf,
  methodNames,
  type ToolNote,
} from './endpoints.js';
export { type DescribedField, describedMessages } from './fields.js';
export type * from './messages.js';

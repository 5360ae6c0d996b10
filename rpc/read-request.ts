import { type MessageFacts, type MethodName, messageFacts, type ReceivedOf } from '../contract/index.js';
import { checkPlain } from '../service/access/index.js';
import { ApiError } from '../service/api-error.js';
import { unknownKeys, unknownKeyText } from '../service/index.js';
import { fromMessage } from './codec.js';
import { checkMessageSize } from './paced-codec.js';
import type { ContractMethod } from './protos.js';

/**
 * The plain object that the use case of a method takes. The cast is safe: types and field
 * descriptors are generated from the same files.
 * @throws ApiError PAYLOAD_TOO_LARGE, VALIDATION_ERROR
 */
export function readRequest<M extends MethodName>(method: ContractMethod<M>, bytes: Buffer): ReceivedOf<M> {
  const request = decode(method, bytes);
  checkPlain(request);
  checkKeys(method.request, request);
  return request as ReceivedOf<M>;
}

function decode({ request, definition }: ContractMethod, bytes: Buffer): object {
  let message: object;
  try {
    checkMessageSize(request, bytes);
    message = definition.requestDeserialize(bytes);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError('VALIDATION_ERROR', `the message is not a ${request.name}`);
  }
  try {
    return fromMessage(request, message, 'absent');
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    throw new ApiError('VALIDATION_ERROR', `the message is not a ${request.name}: ${error.message}`);
  }
}

/**
 * Refuses what the field `rest` of a request may bring, but no use case would read: a key that the
 * message does not declare, and one that belongs elsewhere. REST names the first in a header, and
 * refuses the second before it calls.
 */
function checkKeys({ name }: ContractMethod['request'], request: object): void {
  const { fields } = messageFacts[name] as MessageFacts;
  const [unknown] = unknownKeys(name, request, Object.keys(fields));
  if (unknown !== undefined) throw new ApiError('VALIDATION_ERROR', unknownKeyText(unknown), { field: unknown.key });
  for (const field of Object.keys(request)) {
    const refused = fields[field]?.refused;
    if (refused !== undefined) throw new ApiError('VALIDATION_ERROR', `${field}: ${refused}`, { field });
  }
}

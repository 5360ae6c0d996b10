/**
 * Computes a call of a pure method in a thread, from the bytes of its request to the bytes of its
 * reply.
 */

import type { ReceivedOf } from '../contract/index.js';
import { asApiError } from '../service/api-error.js';
import { toMessage } from './codec.js';
import { type ComputeOutcome, type ComputeTask, type PureName, pureHandlers } from './computing.js';
import { readRequest } from './paced-codec.js';
import { contractMethod } from './protos.js';

export default function compute({ method, request }: ComputeTask): ComputeOutcome {
  try {
    return { reply: answer(method, Buffer.from(request.buffer, request.byteOffset, request.byteLength)) };
  } catch (error) {
    const known = asApiError(error);
    if (known === null) return { broken: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    const { code, message, details } = known;
    return { code, message, details };
  }
}

/** The useCases as a mapped type, by which the compiler matches a name and its request. */
const useCases: { readonly [M in PureName]: (request: ReceivedOf<M>) => object } = pureHandlers;

function answer<M extends PureName>(name: M, bytes: Buffer): Uint8Array {
  const method = contractMethod(name);
  const handle = useCases[name];
  const reply = toMessage(method.reply, handle(readRequest(method, bytes)));
  // Its own memory, since a view is sent with all that it views.
  return new Uint8Array(method.definition.responseSerialize(reply));
}

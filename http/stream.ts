import type { RequestHandler } from 'express';
import type { RpcClient } from '../rpc/index.js';
import { applyFieldsMask } from './fields-mask.js';
import type { Route } from './route.js';
import { type SseFrame, sendEvents } from './sse.js';
import { optionsOf, readRequest } from './translate.js';

export type StreamRoute = Route & Required<Pick<Route, 'toFrames'>>;

/** From a request to the stream that its method answers with, as server-sent events. */
export function stream(route: StreamRoute, rpc: RpcClient, closing: AbortSignal): RequestHandler {
  return async (request, response) => {
    const options = optionsOf(request, response);
    const lastEventId = request.get('Last-Event-ID'); // newer than what the address says, which stays as it was
    const resumed = lastEventId === undefined ? {} : { last_event_id: lastEventId };
    const { message, mask } = await readRequest(route, rpc, request, options, resumed);
    async function* frames(signal: AbortSignal): AsyncGenerator<readonly SseFrame[]> {
      for await (const part of rpc.stream(route.rpc, message, { ...options, signal, deadlineMs: null })) {
        const whole = route.toFrames(part);
        yield mask === null ? whole : whole.map((frame) => ({ ...frame, data: applyFieldsMask(frame.data, mask) }));
      }
    }
    await sendEvents(response, frames, { closing });
  };
}

import { EngineError } from '../../engine/errors.js';
import type { CallKind, CallMessage, Calls, Refusal, ReplyMessage } from './protocol.js';
import { Runner } from './runner.js';

const runner = new Runner();

addEventListener('message', ({ data }: MessageEvent<CallMessage>) => {
  const { ticket } = data;
  let reply: ReplyMessage;
  try {
    reply = { ticket, answer: answer(data.kind, data.asked) };
  } catch (error) {
    reply = { ticket, refusal: refusalFor(error) };
  }
  postMessage(reply);
});

function answer<Kind extends CallKind>(kind: Kind, asked: Calls[Kind]['asked']): Calls[CallKind]['answer'] {
  return runner.calls[kind](asked);
}

function refusalFor(error: unknown): Refusal {
  if (error instanceof EngineError) return { code: error.code, message: error.message, details: error.details };
  if (error instanceof RangeError) return { code: 'OUT_OF_MEMORY', message: error.message, details: {} };
  reportError(error); // shows in the console of the browser
  return {
    code: 'INTERNAL_ERROR',
    message: 'the engine failed on this run; the console of the browser says where',
    details: {},
  };
}

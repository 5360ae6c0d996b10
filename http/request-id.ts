import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';

const acceptable = /^[\w.:-]{1,128}$/;

/**
 * Gives a request one id, used in the log lines of everything it causes. A client may send its own.
 */
export const correlate: RequestHandler = (request, response, next) => {
  const sent = request.get('X-Request-Id') ?? request.get('X-Correlation-Id');
  const correlationId = sent !== undefined && acceptable.test(sent) ? sent : randomUUID();
  response.locals.correlationId = correlationId;
  response.set('X-Correlation-Id', correlationId);
  next();
};

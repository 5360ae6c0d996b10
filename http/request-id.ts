import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';

const acceptable = /^[\w.:-]{1,128}$/;

/**
 * One id from the header of a request to the log lines of all it caused; the client's own where it
 * sends one.
 */
export const correlate: RequestHandler = (request, response, next) => {
  const sent = request.get('X-Request-Id') ?? request.get('X-Correlation-Id');
  const correlationId = sent !== undefined && acceptable.test(sent) ? sent : randomUUID();
  response.locals.correlationId = correlationId;
  response.set('X-Correlation-Id', correlationId);
  next();
};

import type { RequestHandler } from 'express';
import type { RpcClient } from '../rpc/index.js';

/** A check that takes longer counts as failed. */
const HEALTH_MS_MAX = 3_000;

/** Returns the health of the service, or `unhealthy` if it does not answer. */
export function healthHandler(rpc: RpcClient): RequestHandler {
  return async (_request, response) => {
    const health = await rpc
      .call('Config.GetHealth', {}, { deadlineMs: HEALTH_MS_MAX })
      .then(({ body }) => body)
      .catch((error: Error) => ({
        status: 'unhealthy',
        service: 'barline',
        version: 'unknown',
        checks: { rpc: { status: 'unhealthy', error: error.message } },
      }));
    response.status(health.status === 'healthy' ? 200 : 503).json(health);
  };
}

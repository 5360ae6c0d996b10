import type { RequestHandler, Response } from 'express';
import express, { type Express } from 'express';
import type { RpcClient } from '../rpc/index.js';
import { pathPrefixes } from './paths.js';

/** What a probe of a service manager or a load balancer learns. */
export interface Health {
  readonly status: string;
  readonly service: string;
  readonly version: string;
  /** `{status, error}` by name. */
  readonly checks: unknown;
}

export interface Operations {
  readonly health: () => Promise<Health>;
  /** Whether the process should get new requests or work. */
  readonly readiness: () => Promise<Health>;
  /** Metrics in the Prometheus text format. */
  readonly metrics: () => Promise<string>;
}

/** A check that takes longer counts as failed. */
const HEALTH_MS_MAX = 3_000;

/** Asks the service behind a client; `unhealthy` if it does not answer. */
export async function askHealth(rpc: RpcClient, readiness: boolean): Promise<Health> {
  try {
    const { body } = await rpc.call('Config.GetHealth', { readiness }, { deadlineMs: HEALTH_MS_MAX });
    return body;
  } catch (error) {
    return unhealthy('unknown', 'rpc', (error as Error).message);
  }
}

/** A process that refuses new requests because it is stopping. */
export const draining = (version: string): Health => unhealthy(version, 'draining', 'the process is stopping');

const unhealthy = (version: string, check: string, error: string): Health => ({
  status: 'unhealthy',
  service: 'barline',
  version,
  checks: { [check]: { status: 'unhealthy', error } },
});

/** Adds `/live`, `/ready`, `/health` and `/metrics`. */
export function addOperations(app: Express, { health, readiness, metrics }: Operations): void {
  app.get('/live', (_request, response) => {
    response.json({ status: 'alive' });
  });
  app.get('/ready', answering(readiness));
  app.get(['/health', `${pathPrefixes.v1}/health`], answering(health));
  app.get('/metrics', async (_request, response) => {
    response.type('text/plain').send(await metrics());
  });
}

const answering =
  (ask: () => Promise<Health>): RequestHandler =>
  async (_request, response: Response) => {
    const health = await ask();
    response.status(health.status === 'healthy' ? 200 : 503).json(health);
  };

/** An app of these endpoints alone, for a process without REST. */
export function operationsApp(operations: Operations): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  addOperations(app, operations);
  return app;
}

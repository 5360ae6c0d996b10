import assert from 'node:assert/strict';
import type { ServiceProcess } from './service-process.js';

/**
 * A call of the REST API of a service in another process; fails like `fetch` after that process has
 * ended.
 */
export async function callService(
  { origin }: ServiceProcess,
  key: string,
  method: string,
  path: string,
  body?: object,
  // biome-ignore lint/suspicious/noExplicitAny: each test asserts the fields it expects
): Promise<{ readonly status: number; readonly body: any }> {
  const response = await fetch(`${origin}/api${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

/** The same, for calls that must succeed; returns the body. */
export async function succeed(...call: Parameters<typeof callService>) {
  const { status, body } = await callService(...call);
  assert.ok(status < 300, `${call[2]} ${call[3]}: ${status} ${JSON.stringify(body)}`);
  return body;
}

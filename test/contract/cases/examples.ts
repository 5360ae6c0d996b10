import assert from 'node:assert/strict';
import test from 'node:test';
import { endpointOf, type MethodName } from '../../../contract/index.js';
import type { Route } from '../../../http/route.js';
import { routes } from '../../../http/routes.js';
import { assertDocumented } from '../../support/api.js';
import { exampleFor, type FullExample, namesOwn, racing, type Sender, senderOf } from '../../support/example-calls.js';
import { MANAGEMENT_KEY } from '../../support/service.js';

/**
 * The example of every operation of the document is sent as it stands and succeeds, but not for a
 * stranger: what the sender has made does not exist for users of other organizations.
 */

/** They need a sign-in page, which auth-redirect.test.ts has, or a token that only the operator is shown. */
const elsewhere: readonly MethodName[] = ['Auth.StartRedirect', 'Auth.FinishRedirect', 'Auth.Exchange'];

/** Everybody with a credential reads deployed strategies, and anybody may redeem a code. */
const forAll = /^(Deployed|PromoCodes)\./;

function send(route: Route, example: FullExample, from: Sender): Promise<Response> {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(example.path[name] ?? ''));
  const query = Object.entries(example.query ?? {}).map(([name, value]) => [name, String(value)] as [string, string]);
  return fetch(`${from.service.origin}${path}${query.length === 0 ? '' : `?${new URLSearchParams(query)}`}`, {
    method: route.method.toUpperCase(),
    headers: {
      ...(route.isPublic === true ? {} : { Authorization: `Bearer ${from.token}` }),
      ...(endpointOf(route.rpc).access === 'management' ? { 'X-Management-Key': MANAGEMENT_KEY } : {}),
    },
    ...(route.body === undefined ? {} : { body: JSON.stringify(example.body ?? {}) }),
  });
}

let stranger: Promise<Sender> | null = null;

for (const route of routes.filter(({ rpc }) => !elsewhere.includes(rpc))) {
  test(`the example of ${route.method} ${route.path} succeeds`, async () => {
    const sender = await senderOf(route.rpc);
    const example = await exampleFor(route, sender);
    if (namesOwn(route) && !forAll.test(route.rpc) && endpointOf(route.rpc).access !== 'management') {
      stranger ??= senderOf(route.rpc);
      const refused = await send(route, example, await stranger);
      const { code } = (await refused.json()) as { code: string };
      assert.deepEqual([refused.status, code], [404, 'RESOURCE_NOT_FOUND']);
    }
    const response = await send(route, example, sender);
    if (route.rpc === 'Auth.AddToAllowlist') {
      // Without it the list would keep all others from logging in.
      await sender.call('Auth.RemoveFromAllowlist', { email: 'someone@example.com' });
    }
    for (const header of ['X-Correlation-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']) {
      assert.ok(response.headers.has(header), header);
    }
    const [limit, remaining, resetS] = ['Limit', 'Remaining', 'Reset'].map((name) =>
      Number(response.headers.get(`RateLimit-${name}`)),
    ) as [number, number, number];
    assert.ok(remaining >= 0 && remaining < limit, `${remaining} of ${limit} calls remain`);
    assert.ok(resetS >= 0 && resetS <= 60, `the window of a minute ends in ${resetS} s`);
    if (route.toFrames !== undefined) {
      assert.equal(response.status, 200);
      const reader = response.body?.getReader();
      const { value } = (await reader?.read()) ?? {};
      assert.match(Buffer.from(value ?? []).toString(), /data: /);
      await reader?.cancel();
      return;
    }
    const text = await response.text();
    if (racing.includes(route.rpc) && response.status === 409) assert.match(text, /INVALID_STATE/);
    else assert.equal(response.status, route.endpoint.status, text.slice(0, 500));
    if (route.contentType === undefined) assertDocumented(route, response.status, JSON.parse(text));
    else assert.ok(text.startsWith('<!doctype html>'), text.slice(0, 100));
  });
}

import assert from 'node:assert/strict';
import test from 'node:test';
import { documentedRoutes, pathOfMethod, pathParameters, routes } from '../../../../http/routes.js';
import { requireMessageFacts } from '../../../../http/schemas.js';
import { contract } from '../../../../rpc/index.js';

test('every parameter of a path is a field in the request of its method, and every other field is read once', () => {
  for (const { endpoint, binding, path, query, body, cookies, rpc } of routes) {
    const { fields } = requireMessageFacts(endpoint.request);
    const params = pathParameters(path);
    const isWhole = binding.body === undefined || binding.body === '*';
    const inBody = isWhole ? Object.keys(body?.shape ?? {}) : [binding.body];
    const taken = [...params, ...Object.keys(query?.shape ?? {}), ...inBody, ...Object.values(cookies)];
    const left = Object.keys(fields).filter((name) => isWhole && !endpoint.hidden.includes(name));
    assert.deepEqual(
      taken.filter((name) => !(String(name) in fields)),
      [],
      rpc,
    );
    assert.deepEqual([...new Set(taken)].length, taken.length, rpc);
    assert.deepEqual(
      left.filter((name) => !taken.includes(name)),
      [],
      rpc,
    );
  }
});

test('each endpoint belongs to one method, and its path is found by it', () => {
  const endpoints = [...contract().methods.keys()].flatMap(documentedRoutes);
  const places = routes.map(({ method, path }) => `${method} ${path}`);
  assert.equal(endpoints.length, routes.length);
  assert.equal(new Set(places).size, routes.length);
  assert.equal(pathOfMethod('Backtests.Submit'), '/api/v2/backtests');
  assert.throws(() => pathOfMethod('Corpus.QueryColumns'), /the method Corpus.QueryColumns has no route/);
});

import assert from 'node:assert/strict';
import test from 'node:test';
import { endpointsOf, pathOfMethod } from '../../../../http/index.js';
import { routes } from '../../../../http/routes/index.js';
import { contract } from '../../../../rpc/index.js';

/** The schema accepts these in order to refuse them with the place where they belong. */
const misplaced = ['atr_period', 'atr_multiplier'];

test('every parameter of a route is a field in the request of its method', () => {
  for (const route of routes.filter(({ toRequest }) => toRequest === undefined)) {
    const { request } = contract().methods.get(route.rpc) ?? assert.fail(route.rpc);
    const fields = request.fieldsArray.map(({ name, type }) => (type === 'bytes' ? name.replace(/_json$/, '') : name));
    const params = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const taken = [params, Object.keys(route.query?.shape ?? {}), Object.keys(route.body?.shape ?? {})].flat();
    const unknown = taken.filter((name) => !fields.includes(name) && !misplaced.includes(name));
    assert.deepEqual(unknown, [], `${route.method} ${route.path}`);
  }
});

test('each endpoint belongs to one method, and its path is found by it', () => {
  const endpoints = [...contract().methods.keys()].flatMap(endpointsOf);
  const places = routes.map(({ method, version = 'v1', path }) => `${method} ${version} ${path}`);
  assert.equal(endpoints.length, routes.length);
  assert.equal(new Set(places).size, routes.length);
  assert.equal(pathOfMethod('Backtests.Submit'), '/api/v2/backtests');
  assert.throws(() => pathOfMethod('Corpus.QueryColumns'), /the method Corpus.QueryColumns has no route/);
});

/** The cases of the contract, all acted out on one service: each brings users of its own. */
import './cases/access-matrix.js';
import './cases/auth.js';
import './cases/auth-allowlist.js';
import './cases/backtest-columns.js';
import './cases/backtest-paths.js';
import './cases/backtest-refusals.js';
import './cases/backtests.js';
import './cases/config.js';
import './cases/conventions.js';
import './cases/documentation.js';
import './cases/errors.js';
import './cases/execution.js';
import './cases/experiments.js';
import './cases/rpc-server.js';
import './cases/signals.js';
import './cases/strategies.js';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { routes } from '../../http/routes/index.js';
import { callsAnswered } from '../support/api.js';
import { root } from '../support/tree.js';

test('all cases are here', () => {
  const folder = join(root, 'test/contract');
  const imported = [...readFileSync(join(folder, 'contract.test.ts'), 'utf8').matchAll(/'\.\/cases\/([\w-]+)\.js'/g)];
  const written = readdirSync(join(folder, 'cases')).map((name) => name.replace('.ts', ''));
  assert.deepEqual(imported.map(([, name]) => name).sort(), written.sort());
});

/** They answer browsers, and their tests read what those get: auth-redirect.test.ts, cases/backtest-paths.ts. */
const forBrowsers = ['Auth.StartRedirect', 'Auth.FinishRedirect', 'Backtests.GetReport'];

test('every method with a route was called with success over gRPC and over REST', () => {
  const methods = new Set(routes.map(({ rpc }) => rpc).filter((method) => !forBrowsers.includes(method)));
  assert.ok(methods.size > 50);
  for (const transport of ['grpc', 'rest'] as const) {
    const missing = [...methods].filter((method) => !callsAnswered[transport].has(method));
    assert.deepEqual(missing, [], transport);
  }
});

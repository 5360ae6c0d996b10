/** The cases of the contract, all run against one service; each creates its own users. */
import './cases/access-matrix.js';
import './cases/assistant.js';
import './cases/auth.js';
import './cases/backtest-columns.js';
import './cases/backtest-paths.js';
import './cases/backtest-refusals.js';
import './cases/backtests.js';
import './cases/batch.js';
import './cases/bounds.js';
import './cases/catalogue.js';
import './cases/clients.js';
import './cases/columns.js';
import './cases/knowledge.js';
import './cases/conventions.js';
import './cases/defi.js';
import './cases/crypto-assets.js';
import './cases/deployed.js';
import './cases/corpus.js';
import './cases/deprecations.js';
import './cases/documentation.js';
import './cases/end-days.js';
import './cases/errors.js';
import './cases/execution.js';
import './cases/experiments.js';
import './cases/http-broken.js';
import './cases/market-data.js';
import './cases/onchain.js';
import './cases/portfolios.js';
import './cases/promo-codes.js';
import './cases/rpc-server.js';
import './cases/settings.js';
import './cases/sieve.js';
import './cases/signals.js';
import './cases/simulations.js';
import './cases/social.js';
import './cases/strategies.js';
import './cases/usage.js';
import './cases/webhooks.js';
import './cases/withheld-rules.js';
import './cases/examples.js'; // the last: its operators change what others read
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { routes } from '../../http/routes.js';
import type { MethodName } from '../../rpc/index.js';
import { methodsAnswered } from '../support/api.js';
import { root } from '../support/tree.js';

test('every case file is imported', () => {
  const folder = join(root, 'test/contract');
  const imported = [...readFileSync(join(folder, 'contract.test.ts'), 'utf8').matchAll(/'\.\/cases\/([\w-]+)\.js'/g)];
  const written = readdirSync(join(folder, 'cases')).map((name) => name.replace('.ts', ''));
  assert.deepEqual(imported.map(([, name]) => name).sort(), written.sort());
});

/**
 * They answer with pages, redirects and streams, which have tests of their own:
 * auth-redirect.test.ts, cases/.
 */
const otherAnswers: readonly MethodName[] = [
  'Auth.StartRedirect',
  'Auth.FinishRedirect',
  'Backtests.GetReport',
  'Deployed.Stream',
  'Experiments.GetReport',
  'Experiments.WatchProgress',
];

test('every method with a route has a case that succeeded over gRPC', () => {
  const methods = new Set(routes.map(({ rpc }) => rpc).filter((method) => !otherAnswers.includes(method)));
  assert.ok(methods.size > 50);
  assert.deepEqual(
    [...methods].filter((method) => !methodsAnswered.has(method)),
    [],
  );
});

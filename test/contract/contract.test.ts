/** The cases of the contract, all run against one service; each creates its own users. */
import './cases/access-matrix.js';
import './cases/assistant.js';
import './cases/auth.js';
import './cases/backtests.js';
import './cases/batch.js';
import './cases/bounds.js';
import './cases/settings.js';
import './cases/clients.js';
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
import './cases/market-data.js';
import './cases/onchain.js';
import './cases/portfolios.js';
import './cases/promo-codes.js';
import './cases/runs.js';
import './cases/series.js';
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
import { root } from '../support/tree.js';

test('every case file is imported', () => {
  const folder = join(root, 'test/contract');
  const imported = [...readFileSync(join(folder, 'contract.test.ts'), 'utf8').matchAll(/'\.\/cases\/([\w-]+)\.js'/g)];
  const written = readdirSync(join(folder, 'cases')).map((name) => name.replace('.ts', ''));
  assert.deepEqual(imported.map(([, name]) => name).sort(), written.sort());
});

import assert from 'node:assert/strict';
import test from 'node:test';
import {
  fromLongLevels,
  fullConfig,
  openPaperAccount,
  readPaperAccount,
  targetPrice,
} from '../../../../engine/execution/index.js';
import { inputOf } from '../../../support/execution.js';
import { randomBars } from '../../../support/random.js';

test('an account of today is read as it is, and levels that no price reaches are none', () => {
  const { config } = inputOf(randomBars({ seed: 1, barCount: 1 }), [], [], {});
  const account = openPaperAccount(config);
  assert.equal(readPaperAccount(account), account);
  const known = { entryPrice: 100, size: 2, entryFee: 1, slippageCost: 0, fundingPaid: 3, scheduledReason: null };
  const open = fromLongLevels({ ...known, stopPrice: 0, targetPrice: Infinity });
  assert.deepEqual([open.stop, open.givenTarget, open.fundingPaid], [null, null, 3]);
  assert.equal(targetPrice({ ...open, entryBar: 0 }, 0, fullConfig(config)), NaN);
  const level = fromLongLevels({ ...known, stopPrice: 90, targetPrice: 120 });
  assert.deepEqual([level.stop, level.firstStop, level.distance, level.givenTarget], [90, 90, 10, 120]);
});

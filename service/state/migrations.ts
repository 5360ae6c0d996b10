import type { Migrations } from '../../data/state/index.js';
import { strategies } from './migrations/0001-strategies.js';
import { identity } from './migrations/0002-identity.js';
import { execution } from './migrations/0003-execution.js';
import { backtests } from './migrations/0004-backtests.js';
import { experiments } from './migrations/0005-experiments.js';
import { simulations } from './migrations/0006-simulations.js';
import { deployed } from './migrations/0007-deployed.js';
import { webhooks } from './migrations/0008-webhooks.js';
import { awaitedBacktests } from './migrations/0009-awaited-backtests.js';
import { blockDeaths } from './migrations/0010-block-deaths.js';
import { webhookBacklog } from './migrations/0011-webhook-backlog.js';
import { cryptoAssets } from './migrations/0012-crypto-assets.js';
import { payments } from './migrations/0013-payments.js';
import { promoCodes } from './migrations/0014-promo-codes.js';
import { tries } from './migrations/0015-tries.js';
import { conversations } from './migrations/0016-conversations.js';
import { updateRunners } from './migrations/0017-update-runners.js';
import { passageVectors } from './migrations/0018-passage-vectors.js';
import { callSteps } from './migrations/0019-call-steps.js';
import { promoGuesses } from './migrations/0020-promo-guesses.js';
import { triedSweeps } from './migrations/0021-tried-sweeps.js';
import { heldOutDays } from './migrations/0022-held-out-days.js';
import { sides } from './migrations/0023-sides.js';
import { portfolioRuns } from './migrations/0024-portfolio-runs.js';

/** In the order of their names, which never change. */
export const migrations: Migrations = {
  '0001-strategies': strategies,
  '0002-identity': identity,
  '0003-execution': execution,
  '0004-backtests': backtests,
  '0005-experiments': experiments,
  '0006-simulations': simulations,
  '0007-deployed': deployed,
  '0008-webhooks': webhooks,
  '0009-awaited-backtests': awaitedBacktests,
  '0010-block-deaths': blockDeaths,
  '0011-webhook-backlog': webhookBacklog,
  '0012-crypto-assets': cryptoAssets,
  '0013-payments': payments,
  '0014-promo-codes': promoCodes,
  '0015-tries': tries,
  '0016-conversations': conversations,
  '0017-update-runners': updateRunners,
  '0018-passage-vectors': passageVectors,
  '0019-call-steps': callSteps,
  '0020-promo-guesses': promoGuesses,
  '0021-tried-sweeps': triedSweeps,
  '0022-held-out-days': heldOutDays,
  '0023-sides': sides,
  '0024-portfolio-runs': portfolioRuns,
};

import type { Migrations } from '../migrate.js';
import { strategies } from './0001-strategies.js';
import { identity } from './0002-identity.js';
import { execution } from './0003-execution.js';
import { backtests } from './0004-backtests.js';
import { experiments } from './0005-experiments.js';
import { simulations } from './0006-simulations.js';
import { deployed } from './0007-deployed.js';
import { webhooks } from './0008-webhooks.js';
import { awaitedBacktests } from './0009-awaited-backtests.js';
import { blockDeaths } from './0010-block-deaths.js';
import { webhookBacklog } from './0011-webhook-backlog.js';
import { cryptoAssets } from './0012-crypto-assets.js';
import { payments } from './0013-payments.js';
import { promoCodes } from './0014-promo-codes.js';
import { tries } from './0015-tries.js';
import { conversations } from './0016-conversations.js';
import { updateRunners } from './0017-update-runners.js';
import { passageVectors } from './0018-passage-vectors.js';
import { callSteps } from './0019-call-steps.js';
import { promoGuesses } from './0020-promo-guesses.js';
import { triedSweeps } from './0021-tried-sweeps.js';
import { heldOutDays } from './0022-held-out-days.js';
import { sides } from './0023-sides.js';
import { portfolioRuns } from './0024-portfolio-runs.js';

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

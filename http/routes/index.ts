import type { Route } from '../route.js';
import { authRoutes } from './auth.js';
import { backtestRoutes } from './backtests.js';
import { batchRoutes } from './batch.js';
import { catalogueRoutes } from './catalogue.js';
import { configRoutes } from './config.js';
import { corpusRoutes } from './corpus.js';
import { deployedRoutes } from './deployed.js';
import { executionRoutes } from './execution.js';
import { experimentRoutes } from './experiments.js';
import { signalRoutes } from './signals.js';
import { simulationRoutes } from './simulations.js';
import { strategyRoutes } from './strategies.js';
import { usageRoutes } from './usage.js';
import { webhookRoutes } from './webhooks.js';

export const routes: readonly Route[] = [
  ...authRoutes,
  ...configRoutes,
  ...strategyRoutes,
  ...signalRoutes,
  ...executionRoutes,
  ...backtestRoutes,
  ...experimentRoutes,
  ...batchRoutes,
  ...catalogueRoutes,
  ...simulationRoutes,
  ...usageRoutes,
  ...webhookRoutes,
  ...deployedRoutes,
  ...corpusRoutes,
];

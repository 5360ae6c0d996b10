import type { MethodName } from '../../rpc/index.js';
import { pathOf, type Route } from '../route.js';
import { assistantRoutes } from './assistant.js';
import { authRoutes } from './auth.js';
import { backtestRoutes } from './backtests.js';
import { batchRoutes } from './batch.js';
import { catalogueRoutes } from './catalogue.js';
import { configRoutes } from './config.js';
import { corpusRoutes } from './corpus.js';
import { cryptoAssetRoutes } from './crypto-assets.js';
import { defiRoutes } from './defi.js';
import { deployedRoutes } from './deployed.js';
import { executionRoutes } from './execution.js';
import { experimentRoutes } from './experiments.js';
import { knowledgeRoutes } from './knowledge.js';
import { marketDataRoutes } from './market-data.js';
import { onChainRoutes } from './onchain.js';
import { promoCodeRoutes } from './promo-codes.js';
import { sieveRoutes } from './sieve.js';
import { signalRoutes } from './signals.js';
import { simulationRoutes } from './simulations.js';
import { socialRoutes } from './social.js';
import { strategyRoutes } from './strategies.js';
import { usageRoutes } from './usage.js';
import { webhookRoutes } from './webhooks.js';

export const routes: readonly Route[] = [
  ...authRoutes,
  ...configRoutes,
  ...knowledgeRoutes,
  ...strategyRoutes,
  ...signalRoutes,
  ...executionRoutes,
  ...backtestRoutes,
  ...experimentRoutes,
  ...batchRoutes,
  ...catalogueRoutes,
  ...simulationRoutes,
  ...sieveRoutes,
  ...usageRoutes,
  ...promoCodeRoutes,
  ...webhookRoutes,
  ...deployedRoutes,
  ...corpusRoutes,
  ...marketDataRoutes,
  ...socialRoutes,
  ...defiRoutes,
  ...onChainRoutes,
  ...cryptoAssetRoutes,
  ...assistantRoutes,
];

/**
 * Path of a method from the root of the server.
 * @throws Error for a method without a route
 */
export function pathOfMethod(method: MethodName): string {
  const route = routes.find(({ rpc }) => rpc === method);
  if (route === undefined) throw new Error(`the method ${method} has no route`);
  return pathOf(route);
}

/**
 * All routes of a method in the form of the documentation, without the base, such as `POST
 * /strategies`.
 */
export const endpointsOf = (method: MethodName): readonly string[] =>
  routes
    .filter(({ rpc }) => rpc === method)
    .map((route) => `${route.method.toUpperCase()} ${route.version === 'kb' ? pathOf(route) : route.path}`);

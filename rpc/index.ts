/**
 * For clients: the RPC client, the errors of its calls, the maximum nesting of a request, and the
 * execution settings.
 */

export type {
  AnswerOf,
  MethodName,
  ReceivedOf,
  ReplyOf,
  RequestOf,
  ServiceName,
  StreamName,
  UnaryName,
} from '../contract/index.js';
export { asSeenBy, checkDepth, checkJsonSize, meters, walletPriceUsd } from '../service/access/index.js';
export { type ApiCode, ApiError } from '../service/api-error.js';
export { presetNames, topLevelFields } from '../service/backtests/index.js';
export { settingColumnNames, settingSchemas } from '../service/config/index.js';
export { clip, inTurn, JsonText, openSpan, pacedJson, unknownKeys, unknownKeyText } from '../service/index.js';
export type { CallerIds } from './caller-trailer.js';
export type { Call, CallRecord, Handler, Handlers, HandlersOf } from './calls.js';
export { type Checks, Degraded, isHealthy, runChecks } from './checks.js';
export { type CallOptions, RpcClient } from './client.js';
export { type ComputeOutcome, type ComputeTask, type Computing, computeTask } from './computing.js';
export { FacadeKey } from './facade-key.js';
/** For the server: its handlers and what starts it. */
export { assistantHandlers } from './handlers/assistant.js';
export { type AuthParts, authHandlers } from './handlers/auth.js';
export { backtestHandlers } from './handlers/backtests.js';
export { batchHandlers } from './handlers/batch.js';
export { type CatalogueParts, catalogueHandlers } from './handlers/catalogue.js';
export { type ConfigParts, configHandlers } from './handlers/config.js';
export { corpusHandlers } from './handlers/corpus.js';
export { type CryptoAssetParts, cryptoAssetHandlers } from './handlers/crypto-assets.js';
export { defiHandlers } from './handlers/defi.js';
export { deployedHandlers } from './handlers/deployed.js';
export { executionHandlers } from './handlers/execution.js';
export { experimentHandlers } from './handlers/experiments.js';
export { knowledgeHandlers } from './handlers/knowledge.js';
export { marketDataHandlers } from './handlers/market-data.js';
export { onChainHandlers } from './handlers/onchain.js';
export { promoCodeHandlers } from './handlers/promo-codes.js';
export { sieveHandlers } from './handlers/sieve.js';
export { type SignalParts, signalHandlers } from './handlers/signals.js';
export { simulationHandlers } from './handlers/simulations.js';
export { socialHandlers } from './handlers/social.js';
export { strategyHandlers } from './handlers/strategies.js';
export { usageHandlers } from './handlers/usage.js';
export { webhookHandlers } from './handlers/webhooks.js';
export { contract } from './protos.js';
export { type RpcServer, type RpcServerOptions, startRpcServer } from './server.js';

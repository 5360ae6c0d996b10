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
export { asSeenBy, checkDepth, checkJsonSize, meters, OpenStreams, walletPriceUsd } from '../service/access/index.js';
export { type ApiCode, ApiError } from '../service/api-error.js';
export { presetNames, topLevelFields } from '../service/backtests/index.js';
export { settingColumnNames, settingSchemas } from '../service/config/index.js';
export { clip, inTurn, JsonText, openSpan, Pace, pacedJson, unknownKeys, unknownKeyText } from '../service/index.js';
export type { CallRecord } from './calls.js';
export { type CallOptions, RpcClient } from './client.js';
export { type ComputeOutcome, type ComputeTask, type Computing, computeTask } from './computing.js';
export { type CallerIds, FacadeKey } from './metadata.js';
/** For the server: what starts it. */
export { contract } from './protos.js';
export { type RpcServer, type RpcServerOptions, startRpcServer } from './server.js';
export { shortAnswer } from './summary.js';

/** For those who call: the client and what its calls can fail with. */
export { type ApiCode, ApiError } from '../service/api-error.js';
export { type CallOptions, type Reply, RpcClient } from './client.js';
export { contract, type MethodName, type ServiceName, serviceNames } from './protos.js';

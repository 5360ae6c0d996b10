/** Clients of a running service, over REST and over gRPC, with the types of both. */
export type { MethodName, ReplyOf, RequestOf, StreamName, UnaryName } from '../contract/messages.js';
export type { components, paths } from './client/generated/api.js';
export { connectGrpc, type GrpcClient, type GrpcOptions, type GrpcReply } from './client/grpc.js';
export { createRestClient, type RestClient, type RestOptions } from './client/rest.js';

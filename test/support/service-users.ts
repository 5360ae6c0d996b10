import { type Api, grpcApi, restApi } from './api.js';
import type { TestService } from './service.js';

/** The API as the holder of a token has it, by one of the two ways in. */
export const apiFor = (service: TestService, transport: Api['transport'], token: string): Api =>
  transport === 'grpc' ? grpcApi(service.client, token) : restApi(service.origin, token);

import { type Api, grpcApi, restApi } from './api.js';
import type { TestService } from './service.js';

/** The API as seen by the holder of a token, over one of the two transports. */
export const apiFor = (service: TestService, transport: Api['transport'], token: string): Api =>
  transport === 'grpc' ? grpcApi(service.client, token) : restApi(service.origin, token);

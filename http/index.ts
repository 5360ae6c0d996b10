export { errorRows } from './errors.js';
export { askHealth, type Health } from './operations.js';
export { endpointsOf, pathOfMethod } from './routes/index.js';
export { type HttpServerOptions, startHttpServer, startOperationsServer } from './server.js';

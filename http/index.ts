export { endpointsOf, pathOfMethod } from './routes/index.js';
export { type HttpServerOptions, startHttpServer } from './server.js';

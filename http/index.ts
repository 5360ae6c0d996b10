export { endpointsOf, pathOfMethod } from './routes/index.js';
export { type HttpServer, type HttpServerOptions, startHttpServer } from './server.js';

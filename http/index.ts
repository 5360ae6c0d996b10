export { type HttpServer, type HttpServerOptions, startHttpServer } from './server.js';

export { BODY_BYTES_MAX, readBytes } from './body.js';
export { errorRows } from './errors.js';
export { applyFieldsMask, parseFieldsMask } from './fields-mask.js';
export { type OpenApiOperation, openApiDocument } from './openapi.js';
export { askHealth, type Health } from './operations.js';
export { asJson, pathOf, type Route, type UnaryRoute } from './route.js';
export { endpointsOf, pathOfMethod, routes } from './routes/index.js';
export { type HttpServerOptions, startHttpServer, startOperationsServer } from './server.js';
export { messageOf, optionsOf, type RawInput } from './translate.js';

export { UpstreamFault } from './fault.js';
export { readOnce } from './recorded.js';
export { generated, held, mapSourced, type Sourced } from './sourced.js';
export { defaultLimits, Upstream, type UpstreamLimits, type UpstreamOptions, type UpstreamState } from './upstream.js';

export { UpstreamFault } from './fault.js';
export { HourlyMarkets } from './hourly-market.js';
export { readOnce } from './recorded.js';
export { generated, held, mapSourced, type Sourced } from './sourced.js';
export { type Chain, chains, findToken, type Token, tokens } from './tokens.js';
export { defaultLimits, Upstream, type UpstreamLimits, type UpstreamOptions, type UpstreamState } from './upstream.js';

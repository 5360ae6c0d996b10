export { UpstreamFault } from './fault.js';
export { HourlyMarkets } from './hourly-market.js';
export { readOnce } from './recorded.js';
export { generated, type HeldSpan, mapSourced, oldestTime, recorded, type Sourced } from './sourced.js';
export { type Chain, chains, findToken, type Token, tokenChains, tokens } from './tokens.js';
export { Upstream, type UpstreamLimits, type UpstreamOptions } from './upstream.js';

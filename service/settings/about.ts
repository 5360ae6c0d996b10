interface About {
  readonly what: string;
  /** Never printed, logged or listed. */
  readonly isSecret?: true;
}

const keyOf = (provider: string, serves: string): About => ({
  what: `Key of ${provider}: switches ${serves} on. Without it, data recorded or generated on this machine answers.`,
  isSecret: true,
});
const addressOf = (provider: string): About => ({ what: `Address of ${provider}, for a proxy or a test.` });

/** What each variable is for, in the order of the table; `docs/operating.md` lists the same. */
export const aboutSettings = {
  BARLINE_HOME: { what: 'Folder of bars, runs, sweeps and, without `DATABASE_URL`, of the embedded store.' },
  DATABASE_URL: {
    what: 'PostgreSQL for the state (`postgres://…`). Without it the service keeps an embedded store in its home.',
    isSecret: true,
  },
  REDIS_URL: {
    what: "Redis for the queues (`redis://…`). Without it the queues live in the state's PostgreSQL.",
    isSecret: true,
  },
  BARLINE_HTTP_HOST: { what: 'Address on which REST listens; `0.0.0.0` is every one of this machine.' },
  BARLINE_HTTP_PORT: { what: 'Port of REST; 0 takes any free one.' },
  BARLINE_RPC_HOST: { what: 'Address on which gRPC listens, and where a process of REST alone finds it.' },
  BARLINE_RPC_PORT: { what: 'Port of gRPC; 0 takes any free one.' },
  BARLINE_METRICS_PORT: {
    what: 'A further port for `/live`, `/ready`, `/health` and `/metrics` alone: that of a worker, which serves nothing else.',
  },
  BARLINE_METRICS_HOST: { what: 'Address on which that port listens.' },
  BARLINE_DRAIN_MS: {
    what: 'Time from the signal to stop, when `/ready` begins to fail, until the ports close: as long as a load balancer needs to notice.',
  },
  BARLINE_CORS_ORIGIN: { what: 'Origin whose pages may call REST; `*` for any.' },
  BARLINE_TRUSTED_PROXIES: {
    what: 'Proxies in front of REST whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed: how many (`1`), or addresses, networks, `loopback`, `linklocal` and `uniquelocal`, separated by commas. Without it, a client is the address of its connection.',
  },
  BARLINE_MCP_SESSIONS: { what: 'Most sessions that clients of `/mcp` may have open.' },
  BARLINE_MCP_IDLE_MS: { what: 'Time without a request after which a session of `/mcp` ends.' },
  BARLINE_LOG_LEVEL: { what: 'Least level of the log.' },
  BARLINE_LOG_FORMAT: {
    what: '`auto` writes readable lines to a terminal and JSON to anything else.',
  },
  BARLINE_TRACES: {
    what: '`otlp` sends spans by OpenTelemetry, whose packages must be installed, to the collector of `OTEL_EXPORTER_OTLP_ENDPOINT`.',
  },
  BARLINE_RULE_COMPOSITION: {
    what: 'How the rules of a strategy must compose; `relaxed` also accepts one TRIGGER without a FILTER.',
  },
  BARLINE_KEY_PREFIX: { what: 'Prefix of new API keys: 2..12 lower-case letters.' },
  BARLINE_SECRET: {
    what: 'Signs access tokens; at least 32 characters. Without it the service makes one and keeps it in the state.',
    isSecret: true,
  },
  BARLINE_MANAGEMENT_KEY: {
    what: 'Opens the calls of the operator (header `X-Management-Key`); at least 16 characters. Without it they are closed.',
    isSecret: true,
  },
  BARLINE_OIDC_ISSUERS: { what: 'Issuers whose ID tokens may log in: JSON `[{"issuer", "audiences", "jwksUri"?}]`.' },
  BARLINE_OIDC_REDIRECT: {
    what: 'Login by redirect: JSON `{"issuer", "clientId", "clientSecret"?, "redirectUri"}`.',
    isSecret: true,
  },
  BARLINE_WORKLOADS: {
    what: 'Cloud identities that may call without a login: JSON `[{"issuer", "subject", "audience", "userId", "orgId", "scopes"?}]`.',
  },
  BARLINE_DEV_SECRET: {
    what: 'Development only: ID tokens signed with this secret may log in.',
    isSecret: true,
  },
  BARLINE_TIERS: { what: 'Tiers with their limits, in place of the built-in ones: JSON.' },
  BARLINE_WEBHOOK_PRIVATE_HOSTS: { what: 'Whether webhooks may target this machine and its private network.' },
  BARLINE_RATE_LIMIT_PER_MINUTE: { what: 'Requests a minute for each credential, or address without one.' },
  BARLINE_BACKTEST_WAIT_MS: { what: 'Longest wait of a synchronous backtest for the one before it.' },
  BARLINE_QUEUED_PER_ORGANIZATION: { what: 'Most backtests of one organization that may wait.' },
  BARLINE_QUEUED: { what: 'Most backtests that may wait in all.' },
  BARLINE_THREADS: { what: 'Threads that compute backtests. Default: all cores but one, at least 2.' },
  BARLINE_SWEEP_THREADS: { what: 'Threads for experiments. Default: all cores but one.' },
  BARLINE_DEPLOYED: { what: 'File of deployed strategies and personas that replaces the bundled one.' },
  BARLINE_REPLAY_MS: {
    what: 'Real time in which deployed strategies replay one hour of stored bars; 0 takes bars as they close.',
  },
  BARLINE_REPLAY_DAYS: { what: 'Days before the last stored bar at which deployed strategies begin.' },
  BARLINE_COLUMNS: {
    what: 'Columns beside bars that the service fills at its start and every hour: `BTC.PerpFundingRate, ETH.ChainTvl@defillama`.',
  },
  BARLINE_QUERY_BYTES_MAX: { what: 'Most bytes that one data query may read, counted as billed.' },
  BARLINE_QUERY_MEMORY_MB: { what: 'Memory of all data queries together.' },
  BARLINE_QUERY_THREADS: { what: 'Threads of data queries.' },
  BARLINE_QUERY_TIMEOUT_MS: { what: 'Longest time of a data query.' },
  BARLINE_NANSEN_KEY: keyOf('Nansen', 'flows and labels'),
  BARLINE_NANSEN_URL: addressOf('Nansen'),
  BARLINE_WHALE_ALERT_KEY: keyOf('Whale Alert', 'large transfers'),
  BARLINE_WHALE_ALERT_URL: addressOf('Whale Alert'),
  BARLINE_LUNARCRUSH_KEY: keyOf('LunarCrush', 'posts'),
  BARLINE_LUNARCRUSH_URL: addressOf('LunarCrush'),
  BARLINE_COINGECKO_KEY: keyOf('CoinGecko', 'facts of assets'),
  BARLINE_COINGECKO_URL: addressOf('CoinGecko'),
  BARLINE_COINAPI_KEY: keyOf('CoinAPI', 'further facts of assets'),
  BARLINE_COINAPI_URL: addressOf('CoinAPI'),
  BARLINE_DEFILLAMA: { what: '`free` asks DefiLlama without a key; a key serves the paid reads too.' },
  BARLINE_DEFILLAMA_KEY: keyOf('DefiLlama', 'its paid reads'),
  BARLINE_DEFILLAMA_URL: addressOf('DefiLlama'),
  BARLINE_DEFILLAMA_STABLECOINS_URL: addressOf("DefiLlama's stablecoins"),
  BARLINE_DEFILLAMA_PRO_URL: addressOf("DefiLlama's paid reads"),
  BARLINE_TRADES_EXCHANGE: {
    what: 'Exchange for live trades and quotes, by its name in ccxt, which must be installed.',
  },
  BARLINE_TRADES_URL: { what: 'Address of that exchange, for a proxy or a test.' },
  BARLINE_X402_PAY_TO: { what: 'Address that wallets pay for calls without a credential. Without it no call is sold.' },
  BARLINE_X402_NETWORK: { what: 'Network of the payments: `eip155:` and a chain id.' },
  BARLINE_X402_ASSET: {
    what: 'Token of the payments: JSON `{"address", "name", "version", "decimals"}`. Default: USDC on Base and Base Sepolia.',
  },
  BARLINE_X402_FACILITATOR: { what: 'The facilitator, which verifies and settles payments.' },
  BARLINE_X402_FACILITATOR_KEY: { what: 'Key of the facilitator.', isSecret: true },
  BARLINE_X402_TIMEOUT_MS: { what: 'Longest time of a request to the facilitator.' },
  BARLINE_LLM_BASE_URL: {
    what: 'Server of a language model that speaks the OpenAI chat format, up to its version (`http://127.0.0.1:11434/v1`): the assistant then reads any words. Without it it reads its documented form.',
  },
  BARLINE_LLM_MODEL: { what: 'Model that this server answers with.' },
  BARLINE_LLM_KEY: { what: 'Key of this server; local ones need none.', isSecret: true },
  BARLINE_LLM_EMBEDDING_MODEL: {
    what: 'Model of this server that makes vectors of the documentation for lookups. Without it a hash of words makes them on this machine.',
  },
  BARLINE_LLM_REQUEST_MS: { what: 'Longest time of one reply of the model, repeated requests included.' },
  BARLINE_LLM_ANSWER_MS: {
    what: 'Longest time of the model for an answer, both replies together; then the documented form is read.',
  },
  BARLINE_LLM_REPLY_TOKENS: { what: 'Most tokens of one reply of the model.' },
  BARLINE_LLM_CONVERSATION_TOKENS: { what: 'Most tokens that a conversation may use, prompts included.' },
  BARLINE_LLM_MONTH_TOKENS: {
    what: 'Most tokens that an organization may use in a month, prompts included; a tier may allow fewer.',
  },
  BARLINE_PUBLIC_URL: { what: 'Address of this service as its callers know it. Default: where it serves REST.' },
} as const satisfies Readonly<Record<string, About>>;

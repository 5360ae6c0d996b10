import type { Asked } from './asked.js';

/** Environment variables of the service. */
export const askedOfServiceSettings: Asked = {
  BARLINE_HOME: `
    where is data stored; data directory; change the folder; storage location; put files on another disk; working
    folder; which folder do I need to save; where does it put its files; change where things are written; folder of
    results; disk full`,
  DATABASE_URL: `
    use postgres; database connection string; external database; connect to postgresql; db host and password; jdbc;
    use my own postgres; point it at another database; database in the cloud; rds; db connection`,
  REDIS_URL: `use redis; queue server; redis connection; message broker; use my own redis; point it at redis`,
  BARLINE_HTTP_HOST: `
    listen on all interfaces; reach the api from another computer; bind address; expose the server; 0.0.0.0; lan;
    reach it from my phone; other machines cannot connect; connection refused from outside; listen publicly`,
  BARLINE_HTTP_PORT: `
    change the port; port 5001 is in use; address already in use; http port; which port does the api use; how to
    change the port; something else uses the port; run on 8080; port already taken`,
  BARLINE_RPC_HOST: `bind address of grpc; grpc from another machine; grpc host`,
  BARLINE_RPC_PORT: `grpc port; port 50051; change the grpc port`,
  BARLINE_METRICS_PORT: `
    port for prometheus; health check of a worker; metrics on another port; probe port; prometheus for the worker
    process; is the worker alive`,
  BARLINE_METRICS_HOST: `address of the metrics port; scrape metrics from another host`,
  BARLINE_DRAIN_MS: `
    graceful shutdown; wait before closing; time for the load balancer; rolling deployment; stop slowly; time to
    finish requests; zero downtime restart; shutdown delay; restart without dropping calls; give clients time before
    stopping`,
  BARLINE_CORS_ORIGIN: `
    browser blocks requests; cors error; allow my website to call the api; cross origin; frontend; allowed origin;
    frontend on another domain is blocked; call it from a web page; react app; browser says not allowed`,
  BARLINE_MCP_SESSIONS: `maximum number of agent sessions; too many mcp sessions; how many agents at once`,
  BARLINE_MCP_IDLE_MS: `agent session expires; idle timeout of mcp; inactive session closed`,
  BARLINE_LOG_LEVEL: `
    more logging; debug output; verbose; quiet; silence the logs; log only errors; less noise; turn on debug; too much
    output; see more detail; warnings only`,
  BARLINE_LOG_FORMAT: `
    json logs; readable logs; log format; structured logging; pretty print logs; logs as json for loki; human readable
    logs; machine readable logs`,
  BARLINE_TRACES: `turn tracing on; opentelemetry; otlp; send spans; jaeger; tempo`,
  BARLINE_RULE_COMPOSITION: `
    allow strategies without a filter; entry with one trigger only; strict or relaxed rules; several filters; strategy
    rejected because it needs a filter; strategy needs a filter, turn that off; accept any number of rules; server
    refuses my strategy without filter`,
  BARLINE_KEY_PREFIX: `prefix of api keys; how keys begin; recognise our keys; beginning of a token`,
  BARLINE_SECRET: `
    signing secret; jwt secret; secret of access tokens; log everybody out; rotate the signing key; sessions invalid;
    key that signs logins; all sessions ended after a restart; tokens stop working`,
  BARLINE_MANAGEMENT_KEY: `
    admin password; operator key; management calls; super user; x-management-key; admin endpoints closed;
    administrator calls; operator access; how do I become admin`,
  BARLINE_OIDC_ISSUERS: `
    log in with google, okta, auth0, keycloak; single sign on; oidc; id token; sso; identity provider; trust; service
    refuses tokens from okta; accept our company login; azure ad; microsoft login; google accounts`,
  BARLINE_OIDC_REDIRECT: `
    login page; redirect login; oauth client id and secret; callback url; sign in with browser; authorization code;
    login button; browser login; sign-in with google page`,
  BARLINE_WORKLOADS: `
    service account; github actions login; kubernetes identity; cloud identity; machine to machine; call without a
    stored key; gcp aws workload identity; ci job; call from github actions without a key; cloud function access;
    lambda identity`,
  BARLINE_DEV_SECRET: `login for development; test tokens; fake login locally; dev mode`,
  BARLINE_TIERS: `
    define plans; limits per customer; subscription tiers; free and pro plan; custom quotas; price plans;
    entitlements; set what customers may do; limits of my users; offer plans; give one customer more`,
  BARLINE_WEBHOOK_PRIVATE_HOSTS: `
    webhook to localhost; webhook to an internal server; private address refused; local receiver; ssrf; receiver on a
    192.168 address; webhook inside my network; webhook to 127.0.0.1`,
  BARLINE_RATE_LIMIT_PER_MINUTE: `
    requests per minute; raise the rate limit; throttle callers; 429 too many requests; slow down clients; limit
    abuse; allow more calls; clients are throttled too early; stop one client from hammering`,
  BARLINE_BACKTEST_WAIT_MS: `
    how long a backtest request waits for its turn; engine busy; waiting time of a synchronous backtest`,
  BARLINE_QUEUED_PER_ORGANIZATION: `
    maximum waiting backtests per customer; queue limit per organization; one user fills the queue`,
  BARLINE_QUEUED: `
    maximum queue length; total waiting backtests; queue full; backlog; queue is full; accept more waiting jobs`,
  BARLINE_THREADS: `
    use more cores for backtests; number of threads; cpu usage of the server; parallel backtests; fewer cores; server
    uses only one core; more backtests at the same time; limit cpu`,
  BARLINE_SWEEP_THREADS: `
    use more cores for sweeps; threads of experiments; cpu for optimisation; parallel; leave cores free; experiments
    use too much cpu; faster experiments`,
  BARLINE_DEPLOYED: `
    own list of deployed strategies; file of paper strategies; replace the bundled strategies; leaderboard entries`,
  BARLINE_REPLAY_MS: `
    speed of deployed strategies; how fast is history replayed; faster replay; pace; live instead of replay; replay
    deployed bots faster; paper strategies move too slowly; play history quickly`,
  BARLINE_REPLAY_DAYS: `where the replay of deployed strategies begins; days of history to replay`,
  BARLINE_COLUMNS: `
    keep funding rates up to date; automatic columns; fetch columns every hour; refresh extra data; refresh funding
    every hour; keep sentiment current`,
  BARLINE_QUERY_BYTES_MAX: `
    data query reads too much; limit bytes of a query; bytes limit exceeded; large query refused`,
  BARLINE_QUERY_MEMORY_MB: `
    memory of data queries; duckdb memory; query out of memory; ram for queries; query runs out of memory`,
  BARLINE_QUERY_THREADS: `threads of data queries; cpu of queries; faster queries`,
  BARLINE_QUERY_TIMEOUT_MS: `
    query takes too long; timeout of a data query; slow query is cancelled; longer queries; query was cut off after 20
    seconds; my query is stopped; give queries more time; query aborted`,
  BARLINE_NANSEN_KEY: `nansen api key; real smart money data; live holders and flows; labelled wallets`,
  BARLINE_NANSEN_URL: `address of nansen; proxy for nansen`,
  BARLINE_WHALE_ALERT_KEY: `whale alert api key; real whale transfers; large transactions live`,
  BARLINE_WHALE_ALERT_URL: `address of whale alert; proxy for whale alert`,
  BARLINE_LUNARCRUSH_KEY: `lunarcrush api key; real social sentiment; live posts; twitter`,
  BARLINE_LUNARCRUSH_URL: `address of lunarcrush; proxy for lunarcrush`,
  BARLINE_COINGECKO_KEY: `coingecko api key; live prices and market caps; list of coins`,
  BARLINE_COINGECKO_URL: `address of coingecko; proxy; pro or demo plan of coingecko`,
  BARLINE_COINAPI_KEY: `coinapi api key; live candles`,
  BARLINE_COINAPI_URL: `address of coinapi; proxy for coinapi`,
  BARLINE_DEFILLAMA: `switch defillama on; free tvl data; live value locked; defi data without a key`,
  BARLINE_DEFILLAMA_KEY: `defillama paid key; live unlocks, treasuries, lending rates; pro reads`,
  BARLINE_DEFILLAMA_URL: `address of defillama; proxy for defillama`,
  BARLINE_DEFILLAMA_STABLECOINS_URL: `address of defillama stablecoins; proxy`,
  BARLINE_DEFILLAMA_PRO_URL: `address of the paid defillama; proxy`,
  BARLINE_TRADES_EXCHANGE: `live trades and quotes; which exchange gives live prices; real time ticks; ccxt exchange`,
  BARLINE_TRADES_URL: `proxy or mirror of the exchange; address of the exchange`,
  BARLINE_X402_PAY_TO: `
    wallet that receives the money; turn payments on; sell calls; address to be paid; receiving address; earn; get
    paid in usdc; my wallet address for income; start charging for calls; pay with metamask`,
  BARLINE_X402_NETWORK: `which blockchain for payments; base; chain id; testnet payments; sepolia; ethereum mainnet`,
  BARLINE_X402_ASSET: `which token is paid; usdc; another stablecoin; currency of payments; decimals`,
  BARLINE_X402_FACILITATOR: `who settles payments; facilitator url; payment processor`,
  BARLINE_X402_FACILITATOR_KEY: `key of the facilitator; payment processor credential`,
  BARLINE_X402_TIMEOUT_MS: `payment check takes too long; timeout of the facilitator`,
  BARLINE_LLM_BASE_URL: `
    connect a language model; use openai, ollama, vllm, lm studio; local llm; url of the model; gpt; own chat model;
    ai backend; use chatgpt for the assistant; plug in my own ai; local ai server`,
  BARLINE_LLM_MODEL: `which language model; model name; choose gpt or qwen or llama`,
  BARLINE_LLM_KEY: `openai api key; key of the language model`,
  BARLINE_LLM_EMBEDDING_MODEL: `embedding model; semantic search of the documentation; vectors`,
  BARLINE_LLM_REQUEST_MS: `model is slow; timeout of one reply; language model timeout`,
  BARLINE_LLM_ANSWER_MS: `
    longest time for an answer of the assistant; assistant too slow; falls back to the built-in assistant`,
  BARLINE_LLM_REPLY_TOKENS: `length of a reply; max tokens; answer cut off`,
  BARLINE_LLM_CONVERSATION_TOKENS: `tokens per conversation; long chats; budget of a chat`,
  BARLINE_LLM_MONTH_TOKENS: `
    monthly token budget; limit spending on ai; cost control of the model; bill of openai; max spend on gpt; ai is too
    expensive; cap the ai bill`,
  BARLINE_PUBLIC_URL: `
    public address behind a proxy; nginx; reverse proxy; domain name; https address; external url; wrong links; run
    behind nginx; wrong address in answers; behind cloudflare or traefik; served under a domain`,
};

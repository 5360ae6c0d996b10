import type { Asked } from './asked.js';

/** Guides for operators, for callers of the service and for people who change the code. */
export const askedOfServiceGuides: Asked = {
  operating: `
    run my own server; self host; deploy; hosting; production setup; start the service; run on several machines;
    install on a server; admin guide; devops; system administrator; where is the data kept; separate api and workers;
    systemd`,
  'operating#in-containers': `
    docker; docker compose; container image; kubernetes; k8s; helm; volume; run in the cloud; pod`,
  'operating#postgresql-and-redis': `
    which database; postgres; do I need redis; external database; embedded database; sqlite; connection pool; how many
    connections; database goes down; redis lost its data; pgvector; message queue; switch to postgresql`,
  'operating#health': `
    health check; liveness and readiness probe; is the server up; monitoring; load balancer; shut down gracefully;
    rolling restart; SIGTERM; drain; stop without losing requests; zero downtime; ping; uptime`,
  'operating#metrics': `
    prometheus; grafana; dashboards; monitor the server; gauges; queue length; alerts; memory and cpu; observability;
    request latency`,
  'operating#logs': `
    where are the logs; log file; debug a request; log level; verbose; request id; trace an error; what is logged; are
    secrets or personal data logged; privacy; json logs`,
  'operating#traces': `opentelemetry; distributed tracing; spans; jaeger; otlp; follow a request across processes`,
  'operating#keys': `
    make an api key on the server; list keys; revoke a key; key was stolen; leaked key; delete a token; admin keys`,
  'operating#backup-and-restore': `
    backup; restore; save everything; disaster recovery; move to another server; migrate from embedded to postgres;
    export the database; copy to a new machine; lost disk; snapshot; archive; dump; import a backup; undo a mistake`,
  'operating#upgrade-and-rollback': `
    update to a new version; upgrade; migration; downgrade; go back to the old version; schema migration; release;
    what to do before updating; compatibility of versions; new version broke something`,
  'operating#environment-variables': `
    list of environment variables; env vars; configure the server; server settings; dotenv; where do I set the port;
    debug mode; stack trace; no color; secrets; configuration options of the service`,
  'rest-and-grpc': `
    http api; web api; api documentation; endpoints; openapi; swagger; protobuf; grpc; call the service; integrate;
    remote call; base url; request format; which endpoints exist; use from python over http; curl; api reference; sdk`,
  'rest-and-grpc#start-it': `
    start the server; run the api locally; first api key; where are the api docs; sign-in page for development; curl
    example; port of the api; grpc reflection; local server`,
  'rest-and-grpc#credentials': `
    log in; authenticate; api key header; bearer token; authorization header; login expired; refresh token; token
    lifetime; read-only key; restrict a key; permissions; roles; scopes; viewer; admin; service account; machine
    identity; who may call what; members of an organization; invite a colleague; team; user management; oauth; single
    sign on; sso; create a key with fewer rights; workload`,
  'rest-and-grpc#errors': `
    error codes; http status; what does 400, 401, 403, 404, 409, 413, 429, 500 or 503 mean; request failed; bad
    request; unauthorized; forbidden; not found; too many requests; should I retry; error format; failed call; server
    error; how to handle errors`,
  'rest-and-grpc#headers': `
    idempotency; safe retry; request sent twice; double submit; avoid duplicates; network timeout, did my post go
    through; select fields; smaller answer; correlation id; retry after; rate limit headers; which headers`,
  'rest-and-grpc#limits': `
    how many requests may I send; rate limit; request size; quota; maximum body; page through results; pagination;
    limit and offset; next page; plan limits; tiers; how many calls are left; usage this month; concurrency; one
    backtest at a time`,
  'rest-and-grpc#backtests': `
    run a backtest over the api; submit and poll; asynchronous backtest; wait for a result; queue a backtest; many
    backtests in one request; bulk; background job; synthetic data simulation; cancel a running backtest; job status`,
  'rest-and-grpc#experiments': `
    run a sweep over the api; experiment; launch, pause, resume, cancel an experiment; progress; optimise on the
    server; query result rows; arrow stream; validate a configuration; server died during an experiment; read rows
    while it runs; large optimisation on a server`,
  'rest-and-grpc#usage-and-webhooks': `
    what does a call cost; price list; billing; usage; invoices; promo code; voucher; coupon; free calls;
    subscription; trial`,
  'rest-and-grpc#market-intelligence': `
    market data over the api; which data needs a provider key; live or recorded data endpoints`,
  'rest-and-grpc#deployed-strategies': `
    leaderboard; public paper strategies; follow a strategy live; stream of trades; server sent events; personas;
    ranking of traders; forward testing; watch a strategy trade; live feed; copy trading; deploy my strategy; paper
    account`,
  'rest-and-grpc#settings': `
    accept strategies without a filter; settings of the service; oidc; run parts of the service on other hosts`,
  mcp: `
    use it with chatgpt, claude, cursor, copilot; llm agent; ai agent tools; model context protocol; let an ai run
    backtests; connect an ai assistant; tool server; agent integration`,
  'mcp#set-up-a-client': `
    configure claude desktop; claude code; cursor mcp.json; vs code; add the mcp server; agent config file; connect my
    ide`,
  'mcp#what-an-agent-can-do': `
    what tools does an agent have; resources; prompts; agent runs a sweep; cancel work of an agent`,
  'mcp#what-it-may-do': `
    is it safe to give an agent access; restrict an agent; read only agent; agent permissions; sandbox; limits of
    sessions; session timeout; origin refused; cors of mcp`,
  'mcp#which-tools': `list of tools; too many tools; choose toolsets; fewer tools; context window; tool names`,
  assistant: `
    chat; chatbot; copilot; describe a strategy in plain english; natural language; turn an idea into a strategy; ai
    helper; generate a strategy from text; talk to it; conversation; ask in words; does it need openai; build a
    strategy by chatting; no code`,
  'assistant#states': `
    steps of a conversation; what does the assistant ask; correct the assistant; you choose; go on; stuck in a state`,
  'assistant#what-it-may-say': `
    does the assistant make up numbers; hallucination; where do its figures come from; is advice reliable`,
  'assistant#a-language-model': `
    use a local llm; ollama; openai compatible; qwen; llama; gpt; own model; token costs; limit spending on the model;
    what is sent to the model; privacy of chat; prompts; embeddings; language model key; model is down`,
  'assistant#keep-a-candidate': `save the strategy of a chat; keep the proposed strategy`,
  'assistant#limits': `
    message too long; how many conversations; assistant timeout; scope for the assistant; prompt injection`,
  'assistant#crashes': `server died while answering; message lost; duplicate answer`,
  'assistant#what-it-looks-up': `
    retrieval; rag; vector database; pgvector; embeddings of the documentation; refresh vectors`,
  webhooks: `
    get notified when a backtest has finished; notification; callback url; push instead of polling; alert; post to my
    server; slack or discord or telegram message; events; verify a signature; hmac; secret of a webhook; retries of a
    delivery; delivery failed; missed event; duplicate event; webhook on localhost; private network; rotate the
    secret; list of events; test event; email when done`,
  payments: `
    pay per call; pay with crypto; usdc; x402; wallet; pay without an account; micropayments; base network; sell
    calls; earn money with my server; charge users; accept payments; monetise; anonymous access; stablecoin payment`,
  'payments#a-paid-call': `
    402 answer; how does a paid request work; sign a payment; payment header; facilitator; eip-3009; free while off`,
  'payments#what-a-payment-buys': `
    pay twice; replay a payment; double charge; one payment one answer; fetch the answer again; nonce`,
  'payments#when-something-breaks': `
    paid but no answer; money taken without result; refund; settlement failed; facilitator down; crash during a
    payment; lost payment`,
  'payments#the-ledger': `
    list of payments; revenue; unsettled payments; accounting; income; totals; status of a payment`,
  intelligence: `
    market data; crypto news; sentiment; on-chain analytics; data providers; live data; is this answer fresh; stale
    data; age of an answer; source of an answer; held or generated; provider failed; data api`,
  'intelligence#market-data': `
    latest price; current price; last trade; tick history; bid and ask; spread; quotes; candles over the api; minute
    bars; order flow; live prices; real time price of bitcoin; missing minutes`,
  'intelligence#social': `
    twitter sentiment; social media; posts about a coin; influencers; mentions; buzz; hype; is the crowd bullish`,
  'intelligence#defi': `
    total value locked; tvl; stablecoin supply; token unlocks; lending rates; borrow rates; treasuries; etf inflows;
    funding rates of perps; protocols; yield; aave; paid reads`,
  'intelligence#on-chain': `
    whales; large transfers; smart money; exchange inflows and outflows; token holders; wallet tracking; nansen; whale
    alert; who is buying; concentration of holders; coins moved to exchanges`,
  'intelligence#live-data': `limits of whale alert and nansen; api key of a provider; switch live on-chain data on`,
  'intelligence#crypto-assets': `
    information about a coin; market cap; circulating supply; list of coins; trending coins; dominance; coingecko;
    where is a coin listed; coin profile; exchanges of a coin`,
  'intelligence#risk': `
    risk score of a coin; how risky is a token; is this coin safe; rug pull; risk factors; rating; liquidity score`,
  'intelligence#decisions-of-operators': `
    approve a coin; ban a coin; suspend an asset; regulatory status; blacklist; whitelist`,
  knowledge: `
    how do I get help; search the documentation; look up a word; help command; documentation api; explain a term; find
    a signal by name; compute an indicator over the api; evaluate a signal over the api; offline help; knowledge base;
    dictionary`,
  'knowledge#how-the-search-finds': `
    how good is the search; search does not find what I mean; quality of search results`,
  scale: `
    how many runs per day; capacity planning; scale out; cluster; horizontal scaling; how much hardware do I need;
    bottleneck; big server; millions of backtests; storage needed; more workers; sizing; disk usage over a year; costs
    of infrastructure; many users`,
  'scale#what-breaks-first': `
    limits of scaling; too many database connections; shared file system; nfs; s3 object store`,
  'scale#compute': `cores needed; throughput of workers; time for a million runs`,
  'scale#storage': `gigabytes per day; database size; size of results on disk`,
  architecture: `
    how is the code organised; source code structure; folders; modules; layers; design; codebase overview; where do I
    find the code of; internals; how does it work inside; import rules; dependency diagram`,
  'architecture#the-engine': `parts of the engine; floors; folders of the engine; simulation core`,
  'architecture#one-backtest-on-the-command-line': `
    what happens when I run a backtest; steps of a run; code path; call flow`,
  'architecture#one-request': `life of a request; from http to the engine; middleware; request flow in the server`,
  'architecture#one-sweep': `how a sweep works inside; threads and parts of a sweep`,
  'architecture#in-what-order-to-read-the-code': `
    where to start reading the code; new developer; onboarding; contribute; entry points`,
  testing: `
    run the tests; test suite; unit tests; how is it tested; quality; coverage; continuous integration; ci; is it well
    tested; property based tests; fuzzing; regression; test folders; contribute code`,
  'testing#to-run-them': `npm test; run one test; slow tests; soak; run a single test file; test command`,
  'testing#mutation': `mutation testing; planted bugs; do the tests notice bugs; mutation score; strength of the tests`,
  'reference-readme': `
    list of all signals, indicators, metrics, settings and errors; catalogue of signals; which indicators are
    supported; all metrics; reference tables; every setting; available signals`,
  'adr-0001-bar-time': `
    is a timestamp the start or the end of a candle; open time or close time; utc; time zone; when does a week start;
    which bar is this; daylight saving; epoch milliseconds; shifted by one bar; date handling; when is a higher
    timeframe candle visible`,
  'adr-0002-fill-timing': `
    when is an order executed; signal on close, buy at next open; next bar; delay between signal and trade; entry
    price; order of stop and target; why not fill at the close; execution timing; same bar; one bar later; which comes
    first`,
  'adr-0003-nan': `
    missing values; undefined indicator; not a number; null; division by zero; comparison with nothing; values during
    warm-up; empty cells; blank indicator at the start`,
  'adr-0004-memory-layout': `
    shared memory; SharedArrayBuffer; bit masks; how bars are stored in memory; arrow layout; memory use of bars`,
  'adr-0005-determinism': `
    reproducible results; same result on every machine; deterministic; random seed; different result on second run;
    byte for byte; floating point differences; repeatable; does the number of threads change results; hash of the data`,
  'adr-0006-rolling-windows': `
    rounding errors of moving sums; numerical accuracy; drift of a rolling mean; precision; floating point`,
  'adr-0007-webassembly-kernels': `
    webassembly; wasm; simd; why is it fast; assemblyscript; vectorised loops; native speed`,
  'adr-0008-sweeps': `
    how sweeps split work on threads; parallel; chunks; crash of a sweep; parquet parts; resume without duplicates;
    design of the optimiser; memory of a sweep; rows written once; walk-forward windows and folds`,
  'adr-0009-model-based-search': `
    how does tpe work; parzen estimator; bayesian optimisation inside; hyperopt; optuna; surrogate model; learns from
    earlier runs; adaptive search; smart optimisation algorithm`,
  'adr-0010-the-service': `
    design of the service; why grpc behind rest; tenants; multi tenancy; isolation of users; identity; security of the
    service; idempotency keys; audit log; whose data can I see; login design; authorization gate`,
  'adr-0011-queues-and-experiments': `
    what if a worker dies; crash recovery; job queue; bullmq; leases; stuck job; distributed workers; power failure;
    exactly once; lost job; experiment survives a restart; several machines; retry of jobs; server killed`,
  'adr-0012-queries-over-the-corpus': `
    sql over results; query all my experiments; duckdb; data query security; sql injection; pages of results; stable
    pagination; analyse millions of rows; access rows of other organizations`,
  'adr-0013-deployed-strategies': `
    how do deployed strategies run; paper trading design; live equals backtest; event stream; leaderboard; process
    restarts; missed events; reconnect to a stream`,
  'adr-0014-metering-and-webhooks': `
    how are calls counted; billing accuracy; usage counters; failed calls are not charged; webhook delivery guarantee;
    at least once; monthly limit exact; quota counting; is a failed request billed`,
  'adr-0015-who-owns-columns': `
    memory leak; memory grows; server uses more and more ram; wasm memory never shrinks; cache of bars; garbage
    collection`,
  'adr-0016-columns-beside-bars': `
    how are extra columns joined; publication time of a value; revisions; as-of join; why is a value one bar late;
    stamped with the start of the period; point in time data`,
};

import type { Asked } from './asked.js';

/** Guides for operators, for callers of the service and for people who change the code. */
export const askedOfServiceGuides: Asked = {
  operating: `
    run my own server; self host; deploy; hosting; production setup; start the service; run on several machines;
    install on a server; admin guide; devops; system administrator; where is the data kept; separate api and workers;
    systemd; put it on a server; run it for my company; keep it running; start at boot; what do I need in production;
    split into parts; machine for workers; responsibilities of an admin; run as a service`,
  'operating#in-containers': `
    docker; docker compose; container image; kubernetes; k8s; helm; volume; run in the cloud; pod`,
  'operating#postgresql-and-redis': `
    which database; postgres; do I need redis; external database; embedded database; sqlite; connection pool; how many
    connections; database goes down; redis lost its data; pgvector; message queue; switch to postgresql; use my own
    postgres; what happens when the database is away; do I need a queue; managed database; which version of postgres;
    connections run out`,
  'operating#health': `
    health check; liveness and readiness probe; is the server up; monitoring; load balancer; shut down gracefully;
    rolling restart; SIGTERM; drain; stop without losing requests; zero downtime; ping; uptime; how do I know the
    server is alive; is it still running; is it ready for traffic; kubernetes probe; restart without dropping calls;
    stop politely; take it out of the load balancer; heartbeat; which part is broken`,
  'operating#metrics': `
    prometheus; grafana; dashboards; monitor the server; gauges; queue length; alerts; memory and cpu; observability;
    request latency; numbers for a dashboard; how many jobs are waiting; watch the load; is it overloaded; alert me
    when something is wrong; scrape`,
  'operating#logs': `
    where are the logs; log file; debug a request; log level; verbose; request id; trace an error; what is logged; are
    secrets or personal data logged; privacy; json logs; what does it write; find a failed request; who called; where
    does output go; turn noise down; send logs to elastic or loki; do logs contain passwords`,
  'operating#traces': `opentelemetry; distributed tracing; spans; jaeger; otlp; follow a request across processes`,
  'operating#keys': `
    make an api key on the server; list keys; revoke a key; key was stolen; leaked key; delete a token; admin keys;
    someone got hold of my key; lock out a user; lost my key; make a new key; key appeared on github; throw away a
    key; first key was shown once and I lost it`,
  'operating#backup-and-restore': `
    backup; restore; save everything; disaster recovery; move to another server; migrate from embedded to postgres;
    export the database; copy to a new machine; lost disk; snapshot; archive; dump; import a backup; undo a mistake;
    move everything to a new server; keep my data safe; disk died; copy to another computer; nightly backup; go from
    the embedded store to postgres; what is in a backup; is the backup secret; accidentally deleted`,
  'operating#upgrade-and-rollback': `
    update to a new version; upgrade; migration; downgrade; go back to the old version; schema migration; release;
    what to do before updating; compatibility of versions; new version broke something; install the next version; new
    release; is my data kept on update; undo an update; old version refuses to start; do updates break anything`,
  'operating#environment-variables': `
    list of environment variables; env vars; configure the server; server settings; dotenv; where do I set the port;
    debug mode; stack trace; no color; secrets; configuration options of the service; what can I set on the server;
    change port, folder or keys; configuration file of the server; all variables; secrets of the server`,
  'rest-and-grpc': `
    http api; web api; api documentation; endpoints; openapi; swagger; protobuf; grpc; call the service; integrate;
    remote call; base url; request format; which endpoints exist; use from python over http; curl; api reference; sdk;
    can I call it from go, java or php; http interface; how do other programs talk to it; what urls are there; schema
    of requests; postman; make a request; generate a client; websocket`,
  'rest-and-grpc#start-it': `
    start the server; run the api locally; first api key; where are the api docs; sign-in page for development; curl
    example; port of the api; grpc reflection; local server`,
  'rest-and-grpc#credentials': `
    log in; authenticate; api key header; bearer token; authorization header; login expired; refresh token; token
    lifetime; read-only key; restrict a key; permissions; roles; scopes; viewer; admin; service account; machine
    identity; who may call what; members of an organization; invite a colleague; team; user management; oauth; single
    sign on; sso; create a key with fewer rights; workload; give my teammate access; colleague may read but not
    delete; let somebody only look; make a key that can do less; what may a viewer do; add a person; remove a person;
    log in with google; how long is a login valid; where do I get a key; pass the key in a request; machine account;
    ci pipeline login; password reset; which header holds the key`,
  'rest-and-grpc#errors': `
    error codes; http status; what does 400, 401, 403, 404, 409, 413, 429, 500 or 503 mean; request failed; bad
    request; unauthorized; forbidden; not found; too many requests; should I retry; error format; failed call; server
    error; how to handle errors; my call fails; what is 422 or 400; what went wrong with my request; server says no;
    which failures can I repeat; explain the status; got an error code; denied; timeout`,
  'rest-and-grpc#headers': `
    idempotency; safe retry; request sent twice; double submit; avoid duplicates; network timeout, did my post go
    through; select fields; smaller answer; correlation id; retry after; rate limit headers; which headers; did my
    request go through; connection lost while posting; make sure it runs once; only some fields of the answer; shorter
    answer; how long to wait before trying again; when may I retry`,
  'rest-and-grpc#limits': `
    how many requests may I send; rate limit; request size; quota; maximum body; page through results; pagination;
    limit and offset; next page; plan limits; tiers; how many calls are left; usage this month; concurrency; one
    backtest at a time; how big can the json be; biggest body; post a large file; answer comes in chunks, how do I get
    the rest; only the first hundred rows; next rows; how often may I call; how much have I used; how many strategies
    can I store; am I near my limit; nested too deep`,
  'rest-and-grpc#backtests': `
    run a backtest over the api; submit and poll; asynchronous backtest; wait for a result; queue a backtest; many
    backtests in one request; bulk; background job; synthetic data simulation; cancel a running backtest; job status;
    start a backtest and fetch it later; how do I know it is finished; test 99 strategies in one go; run without
    saving; test on made-up prices; result takes too long; is my job done; wait for a slot`,
  'rest-and-grpc#experiments': `
    run a sweep over the api; experiment; launch, pause, resume, cancel an experiment; progress; optimise on the
    server; query result rows; arrow stream; validate a configuration; server died during an experiment; read rows
    while it runs; large optimisation on a server; optimise over http; stop and continue an experiment; how far is it;
    read results while running; download all rows; experiment stuck; what is wrong with my configuration; too many
    runs`,
  'rest-and-grpc#usage-and-webhooks': `
    what does a call cost; price list; billing; usage; invoices; promo code; voucher; coupon; free calls;
    subscription; trial; how much do I owe; what is free and what costs; how is usage counted; give somebody a free
    month; discount; price of a backtest`,
  'rest-and-grpc#market-intelligence': `
    market data over the api; which data needs a provider key; live or recorded data endpoints`,
  'rest-and-grpc#deployed-strategies': `
    leaderboard; public paper strategies; follow a strategy live; stream of trades; server sent events; personas;
    ranking of traders; forward testing; watch a strategy trade; live feed; copy trading; deploy my strategy; paper
    account; see strategies trade; who is winning; which strategy performs best publicly; subscribe to trades; follow
    along; put my own strategy on the board; replay speed; event feed`,
  'rest-and-grpc#settings': `
    accept strategies without a filter; settings of the service; oidc; run parts of the service on other hosts`,
  mcp: `
    use it with chatgpt, claude, cursor, copilot; llm agent; ai agent tools; model context protocol; let an ai run
    backtests; connect an ai assistant; tool server; agent integration; can claude run backtests for me; let chatgpt
    use it; give my ai the tools; work with an ai editor; agents; plug into an llm; let a robot do research`,
  'mcp#set-up-a-client': `
    configure claude desktop; claude code; cursor mcp.json; vs code; add the mcp server; agent config file; connect my
    ide; what do I put into claude's config; register it in my editor; agent on another machine; agent cannot find the
    home folder`,
  'mcp#what-an-agent-can-do': `
    what tools does an agent have; resources; prompts; agent runs a sweep; cancel work of an agent`,
  'mcp#what-it-may-do': `
    is it safe to give an agent access; restrict an agent; read only agent; agent permissions; sandbox; limits of
    sessions; session timeout; origin refused; cors of mcp; can the agent break something; keep the agent from
    deleting; only let it read; session closed; agent of another person; limits for agents; is it secure`,
  'mcp#which-tools': `list of tools; too many tools; choose toolsets; fewer tools; context window; tool names`,
  assistant: `
    chat; chatbot; copilot; describe a strategy in plain english; natural language; turn an idea into a strategy; ai
    helper; generate a strategy from text; talk to it; conversation; ask in words; does it need openai; build a
    strategy by chatting; no code; tell it what I want in my own words; I cannot write rules, help me; explain my idea
    and get a strategy; chat with it; let ai create a strategy; is there a bot I can ask; talk about my results; other
    languages than english; can chatgpt replace the built-in assistant`,
  'assistant#states': `
    steps of a conversation; what does the assistant ask; correct the assistant; you choose; go on; stuck in a state`,
  'assistant#what-it-reads': `
    what can I say to it; grammar; form of sentences; why was I not understood; which words; how to phrase a rule`,
  'assistant#what-it-may-say': `
    does the assistant make up numbers; hallucination; where do its figures come from; is advice reliable`,
  'assistant#a-language-model': `
    use a local llm; ollama; openai compatible; qwen; llama; gpt; own model; token costs; limit spending on the model;
    what is sent to the model; privacy of chat; prompts; embeddings; language model key; model is down; which data
    goes to openai; does it send my chats away; phone home; run the model on my machine; how expensive can the ai get;
    use gpt instead of the built-in thing; stop it from spending; checks on what the model says`,
  'assistant#keep-a-candidate': `save the strategy of a chat; keep the proposed strategy`,
  'assistant#limits': `
    message too long; how many conversations; assistant timeout; scope for the assistant; prompt injection; how many
    questions can I ask; longest message; how many chats; answer takes too long; bot stopped answering`,
  'assistant#crashes': `server died while answering; message lost; duplicate answer`,
  'assistant#what-it-looks-up': `
    retrieval; rag; vector database; pgvector; embeddings of the documentation; refresh vectors`,
  webhooks: `
    get notified when a backtest has finished; notification; callback url; push instead of polling; alert; post to my
    server; slack or discord or telegram message; events; verify a signature; hmac; secret of a webhook; retries of a
    delivery; delivery failed; missed event; duplicate event; webhook on localhost; private network; rotate the
    secret; list of events; test event; email when done; let me know when it finished; do not want to poll; send
    results to slack; call my url; ping when done; is this message really from you; my endpoint was down; webhook
    never arrives; message came twice; how often do you try again; test my receiver; local receiver during
    development; webhook secret lost; firewall`,
  payments: `
    pay per call; pay with crypto; usdc; x402; wallet; pay without an account; micropayments; base network; sell
    calls; earn money with my server; charge users; accept payments; monetise; anonymous access; stablecoin payment;
    let strangers use my server for money; pay with metamask; use it without signing up; crypto instead of a
    subscription; how do I get paid; which coins are accepted; price per call; charge for the api; agents that pay`,
  'payments#a-paid-call': `
    402 answer; how does a paid request work; sign a payment; payment header; facilitator; eip-3009; free while off`,
  'payments#what-a-payment-buys': `
    pay twice; replay a payment; double charge; one payment one answer; fetch the answer again; nonce`,
  'payments#when-something-breaks': `
    paid but no answer; money taken without result; refund; settlement failed; facilitator down; crash during a
    payment; lost payment; charged but got nothing; do I get my money back; call failed after paying; answer lost;
    server crashed while I paid; pay again`,
  'payments#the-ledger': `
    list of payments; revenue; unsettled payments; accounting; income; totals; status of a payment; how much did I
    earn; who paid; list of incoming payments; which payments are open; bookkeeping`,
  intelligence: `
    market data; crypto news; sentiment; on-chain analytics; data providers; live data; is this answer fresh; stale
    data; age of an answer; source of an answer; held or generated; provider failed; data api; where do the numbers
    come from; how old is this answer; is this live; why does it say generated; which services can be connected;
    provider is down; crypto data api`,
  'intelligence#market-data': `
    latest price; current price; last trade; tick history; bid and ask; spread; quotes; candles over the api; minute
    bars; order flow; live prices; real time price of bitcoin; missing minutes; what does bitcoin cost now; bid ask;
    recent trades; price history over http; order book; one minute candles`,
  'intelligence#social': `
    twitter sentiment; social media; posts about a coin; influencers; mentions; buzz; hype; is the crowd bullish; what
    do people think of a coin; interest in a coin on twitter; reddit; is everybody talking about it; popularity; who
    are the loud voices; fear and greed today`,
  'intelligence#defi': `
    total value locked; tvl; stablecoin supply; token unlocks; lending rates; borrow rates; treasuries; etf inflows;
    funding rates of perps; protocols; yield; aave; paid reads; how much usdt is there; size of stablecoins; interest
    for lending; borrow rate; money locked in a protocol; next vesting event; unlock calendar; bitcoin etf flows;
    funding of perpetuals across venues`,
  'intelligence#on-chain': `
    whales; large transfers; smart money; exchange inflows and outflows; token holders; wallet tracking; nansen; whale
    alert; who is buying; concentration of holders; coins moved to exchanges; who owns most of the supply; richest
    wallets; big transfers today; are coins going to exchanges; what are the pros buying; follow the money; insiders`,
  'intelligence#live-data': `limits of whale alert and nansen; api key of a provider; switch live on-chain data on`,
  'intelligence#crypto-assets': `
    information about a coin; market cap; circulating supply; list of coins; trending coins; dominance; coingecko;
    where is a coin listed; coin profile; exchanges of a coin; facts about a coin; how large is a coin; which coins
    are hot; bitcoin dominance; where can I trade a coin; total market value; top coins; coin ranking`,
  'intelligence#risk': `
    risk score of a coin; how risky is a token; is this coin safe; rug pull; risk factors; rating; liquidity score;
    should I avoid this coin; danger of a token; is it a scam; how is the score made up; safe coins`,
  'intelligence#decisions-of-operators': `
    approve a coin; ban a coin; suspend an asset; regulatory status; blacklist; whitelist`,
  knowledge: `
    how do I get help; search the documentation; look up a word; help command; documentation api; explain a term; find
    a signal by name; compute an indicator over the api; evaluate a signal over the api; offline help; knowledge base;
    dictionary; where can I look things up; read the manual in the terminal; what does a word mean; calculate an
    indicator over http; rsi of my numbers by the api; is a signal true on my candles over http; search the docs; find
    a page`,
  'knowledge#how-the-search-finds': `
    how good is the search; search does not find what I mean; quality of search results`,
  scale: `
    how many runs per day; capacity planning; scale out; cluster; horizontal scaling; how much hardware do I need;
    bottleneck; big server; millions of backtests; storage needed; more workers; sizing; disk usage over a year; costs
    of infrastructure; many users; how many machines for ten million; will it cope with a thousand users; grow; where
    is the bottleneck; disk needed per year; big company; cost of hardware; will a big search fit on my computer`,
  'scale#what-breaks-first': `
    limits of scaling; too many database connections; shared file system; nfs; s3 object store`,
  'scale#compute': `cores needed; throughput of workers; time for a million runs`,
  'scale#storage': `gigabytes per day; database size; size of results on disk`,
  architecture: `
    how is the code organised; source code structure; folders; modules; layers; design; codebase overview; where do I
    find the code of; internals; how does it work inside; import rules; dependency diagram; where is what in the
    source; how do the parts fit together; I want to change the code; add a new indicator to the code base; which file
    does; explain the code; developer docs; how a call travels`,
  'architecture#the-engine': `parts of the engine; floors; folders of the engine; simulation core`,
  'architecture#one-backtest-on-the-command-line': `
    what happens when I run a backtest; steps of a run; code path; call flow`,
  'architecture#one-request': `life of a request; from http to the engine; middleware; request flow in the server`,
  'architecture#one-sweep': `how a sweep works inside; threads and parts of a sweep`,
  'architecture#in-what-order-to-read-the-code': `
    where to start reading the code; new developer; onboarding; contribute; entry points`,
  testing: `
    run the tests; test suite; unit tests; how is it tested; quality; coverage; continuous integration; ci; is it well
    tested; property based tests; fuzzing; regression; test folders; contribute code; how do you make sure the numbers
    are right; can I rely on the code; is it bug free; proof of correctness; how do I test my change; how many tests;
    run only one test; check before a commit`,
  'testing#to-run-them': `npm test; run one test; slow tests; soak; run a single test file; test command`,
  'testing#mutation': `mutation testing; planted bugs; do the tests notice bugs; mutation score; strength of the tests`,
  'reference-readme': `
    list of all signals, indicators, metrics, settings and errors; catalogue of signals; which indicators are
    supported; all metrics; reference tables; every setting; available signals; all signals; list everything; which
    indicators are there; every metric and what it means; all options; full list; how many indicators`,
  'adr-0001-bar-time': `
    is a timestamp the start or the end of a candle; open time or close time; utc; time zone; when does a week start;
    which bar is this; daylight saving; epoch milliseconds; shifted by one bar; date handling; when is a higher
    timeframe candle visible; what does the time of a candle stand for; my candles are off by one; which zone;
    daylight saving; week starts on; summer time; is 12:00 the hour before or after`,
  'adr-0002-fill-timing': `
    when is an order executed; signal on close, buy at next open; next bar; delay between signal and trade; entry
    price; order of stop and target; why not fill at the close; execution timing; same bar; one bar later; which comes
    first; why one bar later; why not the same close; when exactly does it buy; what happens first, stop or target;
    order of events inside a bar; execution delay`,
  'adr-0003-nan': `
    missing values; undefined indicator; not a number; null; division by zero; comparison with nothing; values during
    warm-up; empty cells; blank indicator at the start; why is a rule false at first; comparing with nothing; error or
    false; not enough bars; zero volume or flat price; what if a value is missing; undefined is false`,
  'adr-0004-memory-layout': `
    shared memory; SharedArrayBuffer; bit masks; how bars are stored in memory; arrow layout; memory use of bars`,
  'adr-0005-determinism': `
    reproducible results; same result on every machine; deterministic; random seed; different result on second run;
    byte for byte; floating point differences; repeatable; does the number of threads change results; hash of the
    data; same answer tomorrow; on another computer the same; do threads change anything; random numbers; why must it
    be exact`,
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
    service; idempotency keys; audit log; whose data can I see; login design; authorization gate; can others see my
    strategies; keep customers apart; why grpc; is my data private; how is a repeated call recognised; security model`,
  'adr-0011-queues-and-experiments': `
    what if a worker dies; crash recovery; job queue; bullmq; leases; stuck job; distributed workers; power failure;
    exactly once; lost job; experiment survives a restart; several machines; retry of jobs; server killed; what if the
    machine dies in the middle; can two workers take the same job; are jobs lost; does a crash double rows; power goes
    out; which worker gets the job; redis gone; restart in the middle`,
  'adr-0012-queries-over-the-corpus': `
    sql over results; query all my experiments; duckdb; data query security; sql injection; pages of results; stable
    pagination; analyse millions of rows; access rows of other organizations`,
  'adr-0013-deployed-strategies': `
    how do deployed strategies run; paper trading design; live equals backtest; event stream; leaderboard; process
    restarts; missed events; reconnect to a stream; is the live stream the same as a backtest; what if the runner
    restarts; two servers trading the same account; late subscribers`,
  'adr-0014-metering-and-webhooks': `
    how are calls counted; billing accuracy; usage counters; failed calls are not charged; webhook delivery guarantee;
    at least once; monthly limit exact; quota counting; is a failed request billed; am I billed for errors; how do you
    count calls; could a call be counted twice; is an event ever lost; limit reached exactly`,
  'adr-0015-who-owns-columns': `
    memory leak; memory grows; server uses more and more ram; wasm memory never shrinks; cache of bars; garbage
    collection`,
  'adr-0016-columns-beside-bars': `
    how are extra columns joined; publication time of a value; revisions; as-of join; why is a value one bar late;
    stamped with the start of the period; point in time data`,
};

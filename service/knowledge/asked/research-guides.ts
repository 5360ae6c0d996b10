import type { Asked } from './asked.js';

/** Guides for people who research strategies; most of them come from other tools. */
export const askedOfResearchGuides: Asked = {
  readme: `
    what is Barline; what is this project for; overview; introduction; about; features; what can it do; is it free;
    open source licence MIT; who is it for; programming language typescript node; how many signals are built in; why
    would I use this; alternatives to other backtesters; which language is it written in; what makes it special;
    supported exchanges; can I run it in the browser; is it for bitcoin only; hedge; short selling possible`,
  'readme#what-the-demo-prints': `
    run the demo; see example output; sample tear sheet; show me what a result looks like; quick look without own data`,
  'readme#what-is-fast': `
    how fast is it; speed; performance; benchmark numbers; compared with talib, c libraries and npm packages; runs per
    second; how long does a backtest of a million bars take; throughput; latency; is it quick enough for a million
    candles; seconds per backtest; how long will my run take; slower than c`,
  'readme#what-is-honest': `
    limitations; what is not supported; what can it not do; what is missing; restrictions; no short selling, no
    leverage, no limit orders, no portfolio, no live trading; can I trust it; what should I not expect; does it
    support hedging, shorts, options or grid bots; known weaknesses; what does it refuse to do`,
  'readme#what-is-real-and-what-is-generated': `
    is the data real or fake; synthetic or mock data; which answers are made up; works offline without internet; which
    provider key do I need for live data; bundled sample data, which coins and years are included; are the whale or
    holder numbers genuine; are on-chain figures invented; does it work on a plane; do I need an account or key;
    without api keys; does it phone home or send data away`,
  docs: `
    list of all pages; table of contents; documentation index; where do I begin reading; reading order; which page
    explains what; tutorials and manuals`,
  'getting-started': `
    how do I install; installation steps; set up on my computer; requirements; which node version; prerequisites;
    first steps; what to do first; beginner tutorial; quick start; new here; hello world; system requirements windows
    mac linux; npm install; uninstall; remove it again; which node do I need; old node version; permission error
    during install; how do I try it; where to start; do I need to know how to code; check it out from git; do I need a
    database or docker to try it; simplest way in`,
  'getting-started#a-first-backtest': `
    run my first backtest; simplest example; try an example strategy; test a strategy on the past; simulate trading on
    history; execute a strategy file; where is the html page of the result; run a strategy once; which command runs a
    strategy; where do my trades go; get a list of trades; open the report`,
  'getting-started#how-to-read-the-result': `
    what do the numbers of the output mean; understand the result; interpret the report; explain the summary; is my
    result good; is this return any good; what is a good sharpe; read the tear sheet; compare with just holding the
    coin; did it beat holding; what is max drawdown lasted; what is the entries line; what is a good or bad value; is
    this any good; how do I judge a backtest; is my win rate bad; what does END mean`,
  'getting-started#is-it-true': `
    can I trust the result; verify a backtest; check my strategy for mistakes; result looks too good; does it cheat`,
  'getting-started#your-own-bars': `use my own price data; test on my own file; load candles of another coin`,
  faq: `
    frequently asked questions; common questions; coming from backtrader, freqtrade, vectorbt, jesse, tradingview,
    pine script, metatrader; differences to other backtesters; help I am confused; someone must have asked this
    before; typical problems; troubleshooting; something does not work; why does it do that`,
  'faq#fills': `
    which price do I get; execution price of an order; bought at the open or the close; same bar execution; stop and
    take profit hit in the same candle; stop loss and target both touched; intrabar order; price gaps through the
    stop; overnight gap; trail the stop; move stop to break even; breakeven; position still open when the data ends;
    last trade closed at the end; can I short; sell short; short selling; go short; bet on falling prices; use
    leverage or margin; limit order; pending order; market order; partial exit; scale out; pyramiding; scale in;
    average down; dca; several orders per bar; why is my entry price not the close; the stop sold lower than its
    level; sold below the stop price; can the stop move; two exits in one bar; several entries, add to a position;
    grid or martingale; hedge; why was my last trade closed; bracket order; order types; stop order or limit order;
    buy at a certain price`,
  'faq#costs-and-size': `
    what commission is charged; fees too high; default costs eat the profit; set commission; realistic fees of
    binance; maker taker; spread; how much is bought per trade; how big are my positions; why are my positions so
    small; uses only a small part of my capital; go all in; invest everything; fixed amount per trade; percent of
    equity; lot size; position sizing; bet size; entry denied because too small; not enough cash; minimum order; it
    only uses part of my money; invest half of my money; how many coins are bought; why is my trade so tiny; who
    decides the size; costs are way too large; profits eaten by fees; how much of my cash goes into a trade; entry
    refused for lack of money`,
  'faq#no-trades-other-trades': `
    no trades at all; zero trades; nothing happens; strategy never buys; never enters; signals but no orders; empty
    result; why did it not trade; too few trades; missing trades; other trades than expected; indicator values at the
    start; warm up history; how many candles before the start; multiple timeframes; daily filter on hourly chart;
    higher timeframe; numbers do not match tradingview or another library; different results; are holes in the data
    filled; missing candles; timestamp open or close time; the chart stays empty; my strategy does nothing; never
    opened a position; only a handful of trades; why did it not buy there; indicator has no value at first; weekly or
    daily condition in an hourly strategy; figures disagree with my other tool; are weekends and nights a gap; hours
    are missing in my data`,
  'faq#belief': `
    does my strategy look into the future; peeking; lookahead bias; repainting; optimise parameters; find the best
    parameters; best settings; overfitting; curve fitting; does it generalise; runs out of memory with many
    configurations; ram of a big optimisation; reproduce a result; same result twice; repeat a run; enough memory for
    a big search; will my laptop manage; 8 gb; is it memorising the past; tomorrow's price in my rules; prove there is
    no future leak; can I get the very same numbers again`,
  'faq#data': `
    csv rejected; file will not load; where do I get historical data; download candles; free price data; stocks,
    equities, forex, futures, commodities; other markets than crypto; trade stocks; several coins at once; portfolio
    of assets; multi asset; basket; rebalance; tick data; order book; level 2; does it do shares or forex; where do
    prices come from; more coins than bitcoin and ether; can a strategy trade ten coins; second by second data; how do
    I get older data; options data; yahoo finance; import fails`,
  'faq#signals-of-my-own': `
    write my own indicator; custom indicator; custom signal; use python; call it from python; jupyter notebook;
    pandas; machine learning predictions; ml model; is there a python api; other programming languages; R; use it from
    excel; my model is in scikit-learn or pytorch; call from go, java, rust or r; feed my own buy list; add something
    the library lacks; excel signals`,
  'faq#live': `
    live trading; trade real money; connect to my exchange account; send orders to binance; place real orders;
    automatic trading bot; paper trading; dry run; will live results match the backtest; backtest versus live; faster
    than vectorbt; can it place orders for me; connect my binance account; will it really trade; does it need my
    exchange keys; turn it into a bot; why would live be worse than the backtest`,
  strategies: `
    write a strategy; strategy file format; json of a strategy; define entry and exit rules; combine conditions; and
    or; combine indicators; when to buy and when to sell; describe buy and sell rules; trigger and filter difference;
    event versus state; structure of a definition; set take profit; reward to risk; risk reward ratio; sell rule; exit
    conditions; timeframe of a rule; how many filters are allowed; exactly one filter; entry without a filter; what
    goes into the strategy file; how do I say buy when and sell when; write rules as json; minimal strategy; several
    entry conditions at once; either this or that; how do I give stop loss and take profit; no exit rule; one strategy
    for several coins; do I have to program; edit a strategy; parameters of a signal in a strategy`,
  'strategies#execution-settings': `
    change settings of a run; configure fees, stop, size; override defaults; pass options; config file; list of
    parameters and defaults; where do I set the commission; unknown setting; typo in a setting ignored; where do I put
    fees and stops; change an option for one run only; config key value; what can be configured; invest more per
    trade; misspelled option`,
  'strategies#refused-rules': `
    my rule is ignored; signal was skipped; denied signals; rule refused; unknown signal name; exit code 2; parameter
    out of range; strategy runs without one of my conditions; why was a rule thrown out; warning about a signal that
    does not exist; allow denied; rule was left out of the run`,
  'strategies#what-a-run-assumes': `
    assumptions of the simulation; execution model; how realistic; order of stop and target; when are orders filled;
    default costs; round trip cost; what does the simulator pretend; realism; how pessimistic is it; are partial fills
    modelled; slippage model`,
  'strategies#runs-again-runs-side-by-side': `
    repeat an old run; reproduce; rerun and compare; compare two strategies; side by side; difference between two
    backtests; A/B; which of my two versions is better; history of my runs; where are old results stored; stop
    recording runs; put two runs next to each other; what changed since my last run; get back an old result; run id;
    earlier runs; keep a record of what I did`,
  'strategies#signals-from-another-language': `
    bring entries and exits from python; own signals as list; external signals; buy and sell dates from elsewhere;
    simulate given trades; feed orders from a spreadsheet; masks; I already have the dates at which to buy; only use
    the execution part; my own entries as json on standard input; from a notebook into the simulator`,
  formulas: `
    write a condition without programming; custom condition as text; own rule in one line; expression; pine script
    like language; no code; combine two indicators; price above its average; rule that is not in the library; compare
    close with yesterday; mathematical expression in a rule; can I write close > open; rule without javascript; type
    my own condition; simple language for conditions; is there something like pine script; combine price and volume in
    one rule`,
  'formulas#the-language': `
    syntax; operators; and or not; crosses above; previous bar; value some bars ago; shift; look back; within the last
    bars; arithmetic; maximum of two; absolute value; brackets; undefined values; value of yesterday; three bars ago;
    happened within the last five bars; not equal; what does x[1] do; order of operators`,
  'formulas#sweeping': `optimise a parameter of a formula; vary numbers in an expression; try several formulas`,
  'formulas#errors-and-bounds': `
    formula error; syntax error at character; formula too long; maximum length of an expression; negative shift reads
    the future; parse error`,
  'formulas#functions': `
    list of functions; which indicators can a formula use; rsi, ema, macd, bollinger, atr in an expression; highest
    high; lowest low; standard deviation; rate of change; sum over bars; available functions`,
  'signals-of-your-own': `
    write a signal in javascript or typescript; program my own indicator; plugin; extend with code; custom code; own
    module; callback for each bar; signal api; add a new signal without changing the library; is my code run on the
    server; write my signal in js; create an indicator that does not exist here; how do I extend it; code my own rule;
    own function over candles; is there a plugin system; register a signal`,
  'signals-of-your-own#on-the-command-line': `
    load my own module; pass a js file with signals; plugin option; changed code and replay`,
  'signals-of-your-own#in-a-program': `register own signals in my node program; use custom signals in a sweep or live`,
  'signals-of-your-own#the-look-ahead-audit': `does my own signal code see the future; test custom code for lookahead`,
  'command-line': `
    list of commands; cli; terminal; shell; options and flags; command reference; usage; how do I run from the
    console; exit codes; json output; script it; automate; bash completion; tab completion; cron; which command does
    what; status code of a failed command; sql over results; query results of sweeps; export trades to csv; save
    trades as a file; equity to parquet; download results; check my installation; doctor; diagnose; what can I type;
    list every command; which switches exist; how do I script it in bash; machine readable output; return code in a
    shell script; my boss wants a file of the results; get results as csv; save the report; spreadsheet of trades; tax
    report; look at results with sql; is my machine set up properly; how many tries so far; print the configuration`,
  library: `
    use it in my own program; npm package; import in node; typescript api; javascript sdk; embed; programmatic; call
    from code; which functions are exported; catch errors in code; esm import; require; build it into my app; import
    it in typescript; from my own code; use as a dependency; express or next.js; which modules can I import; error
    class; electron`,
  'library#bars': `load candles in code; read bars in javascript; array of prices; typed arrays; own array of candles`,
  'library#a-backtest': `
    run a backtest from code; backtest function; save the html report from code; get trades in javascript`,
  'library#indicators': `
    compute an indicator in code; calculate rsi in javascript; streaming indicator; update with each new price;
    incremental; only use the indicators; rsi of an array; technical indicators for node; feed one price at a time;
    stateful indicator`,
  'library#a-live-loop': `
    build a trading bot; live bot; run bar by bar; event loop; websocket feed; new candle arrives; connect to an
    exchange myself; real time signals; store the state of a bot; restart a bot; resume after a restart; paper trading
    in code; react to each new candle; hook it up to my exchange; keep running and trade; what events does the bot
    send; save and restore the bot; how do I place the orders myself`,
  'library#sweeps': `run an optimisation from code; parameter sweep in javascript; stop a sweep from code; abort`,
  'library#clients-of-the-service': `
    typed client; rest client in typescript; grpc client; call the server from node; generated types`,
  'library#a-light-installation': `
    small installation; install size; reduce dependencies; fewer packages; optional packages; without duckdb; docker
    image size; module not found; disk space; npm install is too big; fewer megabytes; lambda; raspberry pi; skip the
    optional packages; error says a package must be installed; space it takes`,
};

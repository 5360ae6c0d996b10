import type { Asked } from './asked.js';

/** Guides for people who research strategies; most of them come from other tools. */
export const askedOfResearchGuides: Asked = {
  readme: `
    what is Barline; what is this project for; overview; introduction; about; features; what can it do; is it free;
    open source licence MIT; who is it for; programming language typescript node; how many signals are built in`,
  'readme#what-the-demo-prints': `
    run the demo; see example output; sample tear sheet; show me what a result looks like; quick look without own data`,
  'readme#what-is-fast': `
    how fast is it; speed; performance; benchmark numbers; compared with talib, c libraries and npm packages; runs per
    second; how long does a backtest of a million bars take; throughput; latency`,
  'readme#what-is-honest': `
    limitations; what is not supported; what can it not do; what is missing; restrictions; no short selling, no
    leverage, no limit orders, no portfolio, no live trading; can I trust it`,
  'readme#what-is-real-and-what-is-generated': `
    is the data real or fake; synthetic or mock data; which answers are made up; works offline without internet; which
    provider key do I need for live data; bundled sample data, which coins and years are included`,
  docs: `
    list of all pages; table of contents; documentation index; where do I begin reading; reading order; which page
    explains what; tutorials and manuals`,
  'getting-started': `
    how do I install; installation steps; set up on my computer; requirements; which node version; prerequisites;
    first steps; what to do first; beginner tutorial; quick start; new here; hello world; system requirements windows
    mac linux; npm install`,
  'getting-started#a-first-backtest': `
    run my first backtest; simplest example; try an example strategy; test a strategy on the past; simulate trading on
    history; execute a strategy file; where is the html page of the result`,
  'getting-started#how-to-read-the-result': `
    what do the numbers of the output mean; understand the result; interpret the report; explain the summary; is my
    result good; is this return any good; what is a good sharpe; read the tear sheet; compare with just holding the
    coin`,
  'getting-started#is-it-true': `
    can I trust the result; verify a backtest; check my strategy for mistakes; result looks too good; does it cheat`,
  'getting-started#your-own-bars': `use my own price data; test on my own file; load candles of another coin`,
  faq: `
    frequently asked questions; common questions; coming from backtrader, freqtrade, vectorbt, jesse, tradingview,
    pine script, metatrader; differences to other backtesters; help I am confused`,
  'faq#fills': `
    which price do I get; execution price of an order; bought at the open or the close; same bar execution; stop and
    take profit hit in the same candle; stop loss and target both touched; intrabar order; price gaps through the
    stop; overnight gap; trail the stop; move stop to break even; breakeven; position still open when the data ends;
    last trade closed at the end; can I short; sell short; short selling; go short; bet on falling prices; use
    leverage or margin; limit order; pending order; market order; partial exit; scale out; pyramiding; scale in;
    average down; dca; several orders per bar`,
  'faq#costs-and-size': `
    what commission is charged; fees too high; default costs eat the profit; set commission; realistic fees of
    binance; maker taker; spread; how much is bought per trade; how big are my positions; why are my positions so
    small; uses only a small part of my capital; go all in; invest everything; fixed amount per trade; percent of
    equity; lot size; position sizing; bet size; entry denied because too small; not enough cash; minimum order`,
  'faq#no-trades-other-trades': `
    no trades at all; zero trades; nothing happens; strategy never buys; never enters; signals but no orders; empty
    result; why did it not trade; too few trades; missing trades; other trades than expected; indicator values at the
    start; warm up history; how many candles before the start; multiple timeframes; daily filter on hourly chart;
    higher timeframe; numbers do not match tradingview or another library; different results; are holes in the data
    filled; missing candles; timestamp open or close time`,
  'faq#belief': `
    does my strategy look into the future; peeking; lookahead bias; repainting; optimise parameters; find the best
    parameters; best settings; overfitting; curve fitting; does it generalise; runs out of memory with many
    configurations; ram of a big optimisation; reproduce a result; same result twice; repeat a run`,
  'faq#data': `
    csv rejected; file will not load; where do I get historical data; download candles; free price data; stocks,
    equities, forex, futures, commodities; other markets than crypto; trade stocks; several coins at once; portfolio
    of assets; multi asset; basket; rebalance; tick data; order book; level 2`,
  'faq#signals-of-my-own': `
    write my own indicator; custom indicator; custom signal; use python; call it from python; jupyter notebook;
    pandas; machine learning predictions; ml model; is there a python api; other programming languages; R; use it from
    excel`,
  'faq#live': `
    live trading; trade real money; connect to my exchange account; send orders to binance; place real orders;
    automatic trading bot; paper trading; dry run; will live results match the backtest; backtest versus live; faster
    than vectorbt`,
  strategies: `
    write a strategy; strategy file format; json of a strategy; define entry and exit rules; combine conditions; and
    or; combine indicators; when to buy and when to sell; describe buy and sell rules; trigger and filter difference;
    event versus state; structure of a definition; set take profit; reward to risk; risk reward ratio; sell rule; exit
    conditions; timeframe of a rule; how many filters are allowed; exactly one filter; entry without a filter`,
  'strategies#execution-settings': `
    change settings of a run; configure fees, stop, size; override defaults; pass options; config file; list of
    parameters and defaults; where do I set the commission; unknown setting; typo in a setting ignored`,
  'strategies#refused-rules': `
    my rule is ignored; signal was skipped; denied signals; rule refused; unknown signal name; exit code 2; parameter
    out of range; strategy runs without one of my conditions`,
  'strategies#what-a-run-assumes': `
    assumptions of the simulation; execution model; how realistic; order of stop and target; when are orders filled;
    default costs; round trip cost`,
  'strategies#runs-again-runs-side-by-side': `
    repeat an old run; reproduce; rerun and compare; compare two strategies; side by side; difference between two
    backtests; A/B; which of my two versions is better; history of my runs; where are old results stored; stop
    recording runs`,
  'strategies#signals-from-another-language': `
    bring entries and exits from python; own signals as list; external signals; buy and sell dates from elsewhere;
    simulate given trades; feed orders from a spreadsheet; masks`,
  formulas: `
    write a condition without programming; custom condition as text; own rule in one line; expression; pine script
    like language; no code; combine two indicators; price above its average; rule that is not in the library; compare
    close with yesterday; mathematical expression in a rule`,
  'formulas#the-language': `
    syntax; operators; and or not; crosses above; previous bar; value some bars ago; shift; look back; within the last
    bars; arithmetic; maximum of two; absolute value; brackets; undefined values`,
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
    server`,
  'signals-of-your-own#on-the-command-line': `
    load my own module; pass a js file with signals; plugin option; changed code and replay`,
  'signals-of-your-own#in-a-program': `register own signals in my node program; use custom signals in a sweep or live`,
  'signals-of-your-own#the-look-ahead-audit': `does my own signal code see the future; test custom code for lookahead`,
  columns: `
    funding rate in a rule; fear and greed index; sentiment in a strategy; on chain data in a strategy; alternative
    data; external data; extra columns; features of a model; additional series; trade on funding; whale or exchange
    flows; macro data; vix; bring another time series next to the prices`,
  'columns#what-is-bundled': `
    which extra data is included; how far back does the funding history go; fear and greed history; active addresses;
    bundled columns`,
  'columns#a-column-of-your-own': `
    add predictions of my model; machine learning scores; import my own feature; join another file by time; when was a
    value known; publication time; data published with a delay; revised figures; late data; point in time; avoid
    leaking future values; csv with a signal column; daily values on hourly bars; align timestamps`,
  'columns#signals': `
    rule on a column; threshold on a custom value; z-score; value unusually high compared with its past; extreme
    reading`,
  'columns#from-a-source': `
    download funding rates; fetch on-chain columns; keep columns up to date; nansen, whale alert, lunarcrush,
    defillama as source; tvl; stablecoin supply; etf flows; token unlocks; social mentions; automatic refresh every
    hour; generated columns are not real`,
  'data-and-csv': `
    import a csv; load my own data; upload price file; file format; parquet; excel export; spreadsheet; which columns
    does a file need; header names; my file is refused; cannot read file; data format; historical prices of a coin
    that is not bundled; stock data file`,
  'data-and-csv#what-is-read-as-it-is': `
    supported formats; semicolon or tab separated; unix timestamp; epoch milliseconds; iso date; time zone of my data;
    utc; local time; date and time in two columns; comma as decimal mark; european number format; german numbers; no
    header line; comment lines on top; blank rows`,
  'data-and-csv#what-needs-a-flag': `
    american or european dates; day and month swapped; month first; wrong column names; rename columns; no volume
    column; file sorted newest first; descending order; unsorted rows; reversed; duplicate rows; duplicate timestamps;
    double candles; overlapping files; merge files; combine several files; append new candles; update existing data;
    overwrite stored data; replace; stocks trade 252 days; sessions; import flags; ambiguous date; thousands separator`,
  'data-and-csv#what-is-stored': `
    where is my imported data saved; list stored data; which assets do I have; which data is available; verify data;
    corrupted files; delete data; 4 hour candles from 1 hour candles; convert timeframe; resample; aggregate candles;
    data folder; disk location`,
  'data-and-csv#from-an-exchange': `
    download candles from an exchange; fetch history from binance, kraken, coinbase, bybit; ccxt; klines; get more
    data; other coins; solana data; resume a download; update data daily; proxy; rate limit of the exchange;
    connection interrupted during download`,
  'data-quality': `
    is my data good; bad data; data errors; wrong prices; outliers; bad ticks; spikes; flash crash; data warnings;
    check candles; gaps in data; jumps; zero volume; unfinished candle; last candle incomplete; warnings in my result;
    what does this warning mean; ambiguous exits; large fills; off grid; stamped at close; cleaning data; suspicious
    bars`,
  'data-quality#how-often-they-are-right': `
    false alarms of data checks; how reliable are the warnings; detection rate of spikes`,
  'data-quality#what-they-cannot-see': `data errors that are not found; limits of data checks`,
  'data-quality#what-the-findings-mean-for-a-result': `
    order too large for the market; liquidity; market impact; illiquid coin; size relative to volume; stop and target
    in the same candle warning; limit my size to a share of the volume`,
  'data-quality#funding': `
    perpetual futures; perps; do I pay funding; funding costs; swap fees; holding a perpetual overnight; cost of
    carry; funding payments in a backtest; unpaid funding; switch funding off`,
  'data-quality#which-bars-a-run-takes': `
    which data does a backtest use; my data or the bundled data; source of the candles; wrong data is used; choose the
    data source; several intervals stored`,
  'data-quality#switching-the-cooldown-off': `
    disable the cooldown; no pause after losses; turn off cooldown; trade again directly after a loss; remove the
    waiting time`,
  'command-line': `
    list of commands; cli; terminal; shell; options and flags; command reference; usage; how do I run from the
    console; exit codes; json output; script it; automate; bash completion; tab completion; cron; which command does
    what; status code of a failed command; sql over results; query results of sweeps; export trades to csv; save
    trades as a file; equity to parquet; download results; check my installation; doctor; diagnose`,
  library: `
    use it in my own program; npm package; import in node; typescript api; javascript sdk; embed; programmatic; call
    from code; which functions are exported; catch errors in code; esm import; require`,
  'library#bars': `load candles in code; read bars in javascript; array of prices; typed arrays; own array of candles`,
  'library#a-backtest': `
    run a backtest from code; backtest function; save the html report from code; get trades in javascript`,
  'library#indicators': `
    compute an indicator in code; calculate rsi in javascript; streaming indicator; update with each new price;
    incremental; only use the indicators`,
  'library#a-live-loop': `
    build a trading bot; live bot; run bar by bar; event loop; websocket feed; new candle arrives; connect to an
    exchange myself; real time signals; store the state of a bot; restart a bot; resume after a restart; paper trading
    in code`,
  'library#sweeps': `run an optimisation from code; parameter sweep in javascript; stop a sweep from code; abort`,
  'library#clients-of-the-service': `
    typed client; rest client in typescript; grpc client; call the server from node; generated types`,
  'library#a-light-installation': `
    small installation; install size; reduce dependencies; fewer packages; optional packages; without duckdb; docker
    image size; module not found; disk space`,
  'walk-forward': `
    walk forward analysis; out of sample test; in sample; train and test split; training and validation period; hold
    out data; rolling window optimisation; anchored window; reoptimise regularly; cross validation; test on unseen
    data; embargo; purge; how much of the performance survives; does the optimised strategy work on new data; split my
    history; robustness over time; re-fit every month`,
  'sweeps-and-belief': `
    optimise a strategy; optimization; parameter search; try many combinations; hyperparameter tuning; grid search;
    brute force; find the best parameters; test thousands of variants; which settings work best; batch of backtests;
    multi core`,
  'sweeps-and-belief#a-plan': `
    format of a sweep file; define parameter ranges; from to step; list of values to try; vary stop loss or fees;
    constraints between parameters; fast below slow; several coins in one sweep; number of combinations; limit dates
    of a sweep; seed`,
  'sweeps-and-belief#which-run-leads': `
    ranking of runs; sort results by a metric; what is the best run; minimum number of trades; optimise for calmar or
    drawdown; choose the objective; target function; few trades at the top; star in the table; rank`,
  'sweeps-and-belief#the-page-of-a-sweep': `
    heat map; heatmap; plot of parameters; chart of the optimisation; parallel coordinates; visualise sweep results;
    html report`,
  'sweeps-and-belief#what-to-believe': `
    is the best parameter set luck; is the winner of the optimisation real; how many did I try; should I trust the top
    result`,
  'sweeps-and-belief#stopped-and-continued': `
    continue an interrupted sweep; resume after ctrl-c; laptop crashed during optimisation; where are the rows;
    parquet of results; pause a sweep; power cut; computer restarted; lost progress`,
  'sweeps-and-belief#spaces-too-large-to-list': `
    too many combinations; random search; bayesian optimisation; smart search; optuna; tpe; genetic algorithm; search
    that learns; sample the parameter space; takes too long; billions of combinations; faster than grid search`,
  belief: `
    is my best strategy just luck; skill or luck; statistical significance; p-value; significance test; data mining
    bias; multiple testing; too good to be true; how likely is it by chance; monte carlo; bootstrap; permutation test;
    false discovery; trust an optimised result; overfitted; fluke; coin flip`,
  'belief#in-plain-words': `
    explain overfitting simply; statistics for beginners; what does the verdict mean; plain explanation; plateau or
    peak; stable parameters; neighbours of the best parameters; sensitive to small changes; what should I do with the
    verdict; what next; did the market or my skill make the money; random entries; beats random; is my entry timing
    any good; would I have earned the same in any bull market; shuffle trades; order of trades; worst case drawdown;
    resample history`,
  'belief#the-verdict': `
    which tests are made; luck, market and timing test; verdict do not believe it; why does the verdict say it owes
    its result to the market; test fails; pass at 5 percent; null hypothesis; random entry test`,
  'belief#the-figures': `
    deflated sharpe; probabilistic sharpe; lucky sharpe; effective number of trials; reality check; white; hansen spa;
    superior predictive ability; romano wolf; pbo; probability of overfitting; cscv; minimum track record length; how
    long a track record do I need; how many years of data are enough; cost stress; double fees; higher costs; break
    even cost`,
  'belief#the-best-of-several-datasets': `
    picked the best coin of several; multiple markets; bonferroni; whole sweep; best asset`,
  'belief#tries-that-you-made-before': `
    I tried many times; repeated optimisation; count all attempts; earlier experiments count too; number of trials so
    far; ledger of tries; reset the counter`,
  'belief#how-far-it-holds': `
    how accurate is the verdict; calibration; false positive rate; tests on random walks; validation of the
    statistics; proof`,
  audit: `
    detect lookahead bias; check for future leak; does my strategy cheat; repainting signals; uses tomorrow's prices;
    knows the future; data leakage; verify there is no peeking; sanity check of a strategy; truncated data test;
    results depend on the start date; different start changes trades; unstable with less history; audit failed; exit
    code 3; find a bug in my signal`,
  'audit#masks-made-elsewhere': `
    audit signals from python; check my notebook for leakage; machine learning model leaks; verify external signals;
    foresight`,
  'audit#what-it-does-not-check': `
    limits of the audit; passed the audit but still bad; what an audit misses; selection bias`,
  sieve: `
    predict whether a strategy will trade; forecast before running; skip bad strategies; pre-filter; machine learning
    model that scores strategies; probability of winning; screening; save computing time; classifier; will it make
    money before I run it; estimate the outcome without a backtest`,
  'sieve#what-it-says': `classes of the forecast; no trades, losing, wash, winning; probabilities`,
  'sieve#ask-it': `score strategies over the api; request a forecast; sieve endpoint; how many strategies per request`,
  'sieve#before-a-sweep': `speed up a sweep; skip hopeless configurations; promising runs first; order runs; save time`,
  'sieve#how-it-was-trained': `
    training data of the model; retrain the model; features; logistic regression; train it again`,
  'sieve#how-good-it-is': `accuracy of the forecast; auc; log loss; how reliable are the predictions; calibration`,
  'sieve#what-it-cannot-do': `limits of the model; when not to use the forecast`,
  differences: `
    numbers differ from ta-lib; not the same as tradingview; rsi value is different; why is my ema different; compare
    with pandas-ta, talib, empyrical, quantstats, pyfolio; results do not match another library; discrepancy; first
    values; mismatch; which formula; seeding of averages; ema start value`,
  'differences#metrics-empyrical-and-quantstats': `
    sharpe differs from quantstats; sortino differs; metric calculated otherwise; 252 or 365 days; risk free rate;
    sample or population deviation`,
};

import type { Asked } from './asked.js';

/** Guides about data, and about what results are worth. */
export const askedOfEvidenceGuides: Asked = {
  columns: `
    funding rate in a rule; fear and greed index; sentiment in a strategy; on chain data in a strategy; alternative
    data; external data; extra columns; features of a model; additional series; trade on funding; whale or exchange
    flows; macro data; vix; bring another time series next to the prices; use news, weather or anything else in a
    rule; add a second data series; combine price with sentiment; trade on open interest; extra numbers per candle;
    macro indicator; another coin as a filter; google trends; join my own series to the prices`,
  'columns#what-is-bundled': `
    which extra data is included; how far back does the funding history go; fear and greed history; active addresses;
    bundled columns`,
  'columns#a-column-of-your-own': `
    add predictions of my model; machine learning scores; import my own feature; join another file by time; when was a
    value known; publication time; data published with a delay; revised figures; late data; point in time; avoid
    leaking future values; csv with a signal column; daily values on hourly bars; align timestamps; my predictions
    have dates; attach a csv of scores; values arrive later than they are dated; when did people know this number;
    daily figure used a day too early; weekly report in a strategy; corrected numbers`,
  'columns#signals': `
    rule on a column; threshold on a custom value; z-score; value unusually high compared with its past; extreme
    reading`,
  'columns#from-a-source': `
    download funding rates; fetch on-chain columns; keep columns up to date; nansen, whale alert, lunarcrush,
    defillama as source; tvl; stablecoin supply; etf flows; token unlocks; social mentions; automatic refresh every
    hour; generated columns are not real; get on-chain numbers automatically; where do fear and greed values come
    from; live funding; which provider has which column`,
  'data-and-csv': `
    import a csv; load my own data; upload price file; file format; parquet; excel export; spreadsheet; which columns
    does a file need; header names; my file is refused; cannot read file; data format; historical prices of a coin
    that is not bundled; stock data file; open my own price list; bring in candles; what must the file look like; feed
    it another coin; my file from tradingview; metatrader export; yahoo file; add a new market; test on gold or euro`,
  'data-and-csv#what-is-read-as-it-is': `
    supported formats; semicolon or tab separated; unix timestamp; epoch milliseconds; iso date; time zone of my data;
    utc; local time; date and time in two columns; comma as decimal mark; european number format; german numbers; no
    header line; comment lines on top; blank rows; first line is a title; header in another language; utf-8 or byte
    order mark; gz file; seconds or milliseconds; times in new york time; numbers in quotes; separators`,
  'data-and-csv#what-needs-a-flag': `
    american or european dates; day and month swapped; month first; wrong column names; rename columns; no volume
    column; file sorted newest first; descending order; unsorted rows; reversed; duplicate rows; duplicate timestamps;
    double candles; overlapping files; merge files; combine several files; append new candles; update existing data;
    overwrite stored data; replace; stocks trade 252 days; sessions; import flags; ambiguous date; thousands
    separator; is 03/04 march or april; columns are called differently; price column has another name; file upside
    down; same minute twice; join several years; put new candles at the end; conflicting values; which file wins; no
    volume in the file; comma or point; year by year files`,
  'data-and-csv#what-is-stored': `
    where is my imported data saved; list stored data; which assets do I have; which data is available; verify data;
    corrupted files; delete data; 4 hour candles from 1 hour candles; convert timeframe; resample; aggregate candles;
    data folder; disk location; which coins do I have here; how much disk do the candles take; where do imported
    candles go; make 4h of 1h; only have minute data; see what is on my machine; did my data change; hash of data;
    share data with a colleague`,
  'data-and-csv#from-an-exchange': `
    download candles from an exchange; fetch history from binance, kraken, coinbase, bybit; ccxt; klines; get more
    data; other coins; solana data; resume a download; update data daily; proxy; rate limit of the exchange;
    connection interrupted during download; get candles of solana; newest prices; fill up to today; pull klines;
    download stopped halfway; which exchanges work; api limits of the exchange; perpetual candles`,
  'data-quality': `
    is my data good; bad data; data errors; wrong prices; outliers; bad ticks; spikes; flash crash; data warnings;
    check candles; gaps in data; jumps; zero volume; unfinished candle; last candle incomplete; warnings in my result;
    what does this warning mean; ambiguous exits; large fills; off grid; stamped at close; cleaning data; suspicious
    bars; can I trust my candles; strange candle; price jumped for one minute; exchange outage; half finished candle;
    why does my result have a warning; weird values; volume is zero; clean my data; flash crash`,
  'data-quality#how-often-they-are-right': `
    false alarms of data checks; how reliable are the warnings; detection rate of spikes`,
  'data-quality#what-they-cannot-see': `data errors that are not found; limits of data checks`,
  'data-quality#what-the-findings-mean-for-a-result': `
    order too large for the market; liquidity; market impact; illiquid coin; size relative to volume; stop and target
    in the same candle warning; limit my size to a share of the volume; my order is bigger than the market; could I
    really buy that much; realistic size in a small coin; order would move the price`,
  'data-quality#funding': `
    perpetual futures; perps; do I pay funding; funding costs; swap fees; holding a perpetual overnight; cost of
    carry; funding payments in a backtest; unpaid funding; switch funding off; cost of holding a future; do longs pay;
    eight hour payment; perps cost; funding in my profit`,
  'data-quality#which-bars-a-run-takes': `
    which data does a backtest use; my data or the bundled data; source of the candles; wrong data is used; choose the
    data source; several intervals stored; did it use my file; wrong candles used; bundled or own prices; why does the
    run start later than I asked; priority of data`,
  'data-quality#switching-the-cooldown-off': `
    disable the cooldown; no pause after losses; turn off cooldown; trade again directly after a loss; remove the
    waiting time; let it trade right after a loss; get rid of the waiting period; it pauses too long`,
  'walk-forward': `
    walk forward analysis; out of sample test; in sample; train and test split; training and validation period; hold
    out data; rolling window optimisation; anchored window; reoptimise regularly; cross validation; test on unseen
    data; embargo; purge; how much of the performance survives; does the optimised strategy work on new data; split my
    history; robustness over time; re-fit every month; fit on one period and check on the next; different windows for
    fitting and checking; keep the last year for testing; would the choice have worked later; retrain every quarter;
    honest test of an optimisation; does it hold up afterwards; leave a gap between train and test; in-sample against
    out-of-sample; folds`,
  'sweeps-and-belief': `
    optimise a strategy; optimization; parameter search; try many combinations; hyperparameter tuning; grid search;
    brute force; find the best parameters; test thousands of variants; which settings work best; batch of backtests;
    multi core; find good settings; tune my strategy; try all windows from 5 to 50; automatically improve a strategy;
    which stop distance is best; vary fees; search over stops and targets; many backtests at once; compare hundreds of
    variants; use all cores; optimise several coins`,
  'sweeps-and-belief#a-plan': `
    format of a sweep file; define parameter ranges; from to step; list of values to try; vary stop loss or fees;
    constraints between parameters; fast below slow; several coins in one sweep; number of combinations; limit dates
    of a sweep; seed; how do I list the values to try; range with a step; only combinations where short is less than
    long; forbid some combinations; vary an execution setting; search over stop distances; how many runs will it be;
    pick signals from a list; try different filters`,
  'sweeps-and-belief#which-run-leads': `
    ranking of runs; sort results by a metric; what is the best run; minimum number of trades; optimise for calmar or
    drawdown; choose the objective; target function; few trades at the top; star in the table; rank; why is this run
    on top; sort by drawdown; ignore runs with few trades; what decides the winner; best by profit; order of results`,
  'sweeps-and-belief#the-page-of-a-sweep': `
    heat map; heatmap; plot of parameters; chart of the optimisation; parallel coordinates; visualise sweep results;
    html report; picture of all runs; see which parameter matters; surface plot; show results graphically`,
  'sweeps-and-belief#what-to-believe': `
    is the best parameter set luck; is the winner of the optimisation real; how many did I try; should I trust the top
    result`,
  'sweeps-and-belief#stopped-and-continued': `
    continue an interrupted sweep; resume after ctrl-c; laptop crashed during optimisation; where are the rows;
    parquet of results; pause a sweep; power cut; computer restarted; lost progress; continue where it left off; lost
    power; closed the terminal; go on with yesterday's run; do I lose everything; can I stop and go on later; ctrl c`,
  'sweeps-and-belief#spaces-too-large-to-list': `
    too many combinations; random search; bayesian optimisation; smart search; optuna; tpe; genetic algorithm; search
    that learns; sample the parameter space; takes too long; billions of combinations; faster than grid search; would
    take days; too many to try them all; try only a sample; smarter than brute force; random subset; evolutionary;
    stop early; narrow the search`,
  belief: `
    is my best strategy just luck; skill or luck; statistical significance; p-value; significance test; data mining
    bias; multiple testing; too good to be true; how likely is it by chance; monte carlo; bootstrap; permutation test;
    false discovery; trust an optimised result; overfitted; fluke; coin flip; is it real or chance; how sure can I be;
    am I fooling myself; lucky streak or edge; would a monkey have done as well; too many tries; is my edge real;
    prove that it works; how do I know it is not noise; confidence in a strategy; honest statistics`,
  'belief#in-plain-words': `
    explain overfitting simply; statistics for beginners; what does the verdict mean; plain explanation; plateau or
    peak; stable parameters; neighbours of the best parameters; sensitive to small changes; what should I do with the
    verdict; what next; did the market or my skill make the money; random entries; beats random; is my entry timing
    any good; would I have earned the same in any bull market; shuffle trades; order of trades; worst case drawdown;
    resample history; explain like I am five; the market just went up; is it only beta; would random buying do as
    well; neighbouring settings fail; only one magic value works; equity curve too smooth; how many trades do I need
    before I can believe it; too few trades to judge; what to do next with a good result; how bad could it have been;
    half of the account lost`,
  'belief#the-verdict': `
    which tests are made; luck, market and timing test; verdict do not believe it; why does the verdict say it owes
    its result to the market; test fails; pass at 5 percent; null hypothesis; random entry test`,
  'belief#the-figures': `
    deflated sharpe; probabilistic sharpe; lucky sharpe; effective number of trials; reality check; white; hansen spa;
    superior predictive ability; romano wolf; pbo; probability of overfitting; cscv; minimum track record length; how
    long a track record do I need; how many years of data are enough; cost stress; double fees; higher costs; break
    even cost; what if fees were doubled; exchange charges twice as much; does it survive higher costs; how long until
    I know; years of data needed; chance that I overfitted; sharpe above luck`,
  'belief#the-best-of-several-datasets': `
    picked the best coin of several; multiple markets; bonferroni; whole sweep; best asset`,
  'belief#tries-that-you-made-before': `
    I tried many times; repeated optimisation; count all attempts; earlier experiments count too; number of trials so
    far; ledger of tries; reset the counter; how many tries is too many; does it remember what I tried; I already ran
    this last week; penalty for trying a lot; forget old tries`,
  'belief#how-far-it-holds': `
    how accurate is the verdict; calibration; false positive rate; tests on random walks; validation of the
    statistics; proof; can I trust these tests; how often does noise pass; was this checked; proof that the verdict
    works`,
  audit: `
    detect lookahead bias; check for future leak; does my strategy cheat; repainting signals; uses tomorrow's prices;
    knows the future; data leakage; verify there is no peeking; sanity check of a strategy; truncated data test;
    results depend on the start date; different start changes trades; unstable with less history; audit failed; exit
    code 3; find a bug in my signal; make sure I do not use tomorrow's data; is there a leak; does a signal change
    afterwards; signals vanish later; results too good; does it matter when the data begins; depends on the first bar;
    honest signals; check my own signal; is my filter lagged properly; same trades with less data`,
  'audit#masks-made-elsewhere': `
    audit signals from python; check my notebook for leakage; machine learning model leaks; verify external signals;
    foresight`,
  'audit#what-it-does-not-check': `
    limits of the audit; passed the audit but still bad; what an audit misses; selection bias`,
  sieve: `
    predict whether a strategy will trade; forecast before running; skip bad strategies; pre-filter; machine learning
    model that scores strategies; probability of winning; screening; save computing time; classifier; will it make
    money before I run it; estimate the outcome without a backtest; will it trade at all; guess the outcome; skip
    strategies that never trade; sort out duds; quick check before a backtest; what are the odds of profit; ai that
    judges strategies; predict losing strategies; spare useless runs; pre-screen`,
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
    values; mismatch; which formula; seeding of averages; ema start value; who is right, talib or this; not what
    tradingview shows; check against other software; values off in the first bars; my spreadsheet says something else;
    same as pandas ta; validate the numbers; are the formulas standard; macd differs`,
  'differences#metrics-empyrical-and-quantstats': `
    sharpe differs from quantstats; sortino differs; metric calculated otherwise; 252 or 365 days; risk free rate;
    sample or population deviation`,
};

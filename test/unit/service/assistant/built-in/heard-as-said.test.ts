import assert from 'node:assert/strict';
import test from 'node:test';
import { ruleWords } from '../../../../../service/assistant/built-in/propose.js';
import { agrees, readMessage } from '../../../../../service/assistant/built-in/read-message.js';
import { verdictIn } from '../../../../../service/assistant/built-in/verdict-words.js';
import type { Step } from '../../../../../service/assistant/index.js';
import { talk } from '../../../../support/assistant.js';
import { backtestDeps } from '../../../../support/backtest-deps.js';

const known = { settings: {}, timeframe: '1d', language: 'en' } as const;
const assets = [{ symbol: 'BTC', names: ['bitcoin'], isHeld: true }];
const read = (text: string) => readMessage(text, known, assets);
const entryOf = (text: string): string[] => (read(text).change.entry ?? []).map((rule) => ruleWords(rule));
const exitOf = (text: string): string[] => (read(text).change.exit ?? []).map((rule) => ruleWords(rule));
const windowOf = (text: string) => {
  const { refused, notUnderstood, change } = read(text);
  assert.deepEqual([refused, notUnderstood], [[], []], text);
  return [change.dates?.start_date, change.dates?.end_date];
};

test('a number that ends a sentence is no day of the month that follows', () => {
  const texts = [
    'Buy BTC when RSI(14) crosses above 30 and sell when the RSI goes over 70. January 2023 until end of June 2024.',
    'Buy BTC when RSI(14) crosses above 30, sell when RSI(14) goes over 70. From January 2023 to June 2024.',
    'Kaufe BTC, wenn der RSI(14) über 30 steigt, verkaufe, wenn der RSI(14) über 70 steigt. Januar 2023 bis Juni 2024.',
    'Compra BTC cuando el RSI(14) cruce por encima de 30 y vende cuando el RSI(14) suba por encima de 70. Enero de 2023 hasta junio de 2024.',
    'Achète BTC quand le RSI(14) passe au-dessus de 30, vends quand le RSI(14) passe au-dessus de 70. Janvier 2023 à juin 2024.',
  ];
  for (const text of texts) {
    assert.deepEqual(windowOf(text), ['2023-01-01', '2024-06-30'], text);
    assert.match(entryOf(text).join(), /rsi.*30/, text);
    assert.match(exitOf(text).join(), /rsi.*70/, text);
  }
  const thirty = 'Kaufe BTC, wenn der RSI(14) unter 30 fällt, verkaufe, wenn er über 30. Januar 2023 bis Juni 2024.';
  assert.deepEqual(windowOf(thirty), ['2023-01-01', '2024-06-30']);
});

test("a day's dot stays one", () => {
  assert.deepEqual(windowOf('Kaufe BTC mit RSI, vom 1. Februar 2023 bis 30. April 2024'), ['2023-02-01', '2024-04-30']);
  assert.deepEqual(windowOf('BTC, from 3. January 2023 to 5. May 2024'), ['2023-01-03', '2024-05-05']);
  assert.match(read('BTC from 31 February 2024 to June 2024').refused.join(), /31 february/);
});

const windows: readonly (readonly [start: string, end: string, texts: readonly string[]])[] = [
  [
    '2023-10-01',
    '2023-12-31',
    [
      'over the last quarter of 2023',
      'in the last quarter of 2023',
      'im letzten Quartal 2023',
      'en el último trimestre de 2023',
      'au dernier trimestre 2023',
    ],
  ],
  ['2022-01-01', '2024-12-31', ['2022-2024', '2022 – 2024', '2022 to 2024', 'de 2022 a 2024']],
  ['2022-01-01', '2023-12-31', ['from 2022 til end of 2023', 'form 2022 til end of 2023', 'from 2022 till 2023']],
  [
    '2022-01-01',
    '2023-06-30',
    [
      'from January 2022, for eighteen months',
      'from January 2022 for 18 months',
      'ab Januar 2022 für 18 Monate',
      'desde enero de 2022, durante 18 meses',
      'depuis janvier 2022, pendant 18 mois',
    ],
  ],
  ['2022-01-15', '2022-04-14', ['since 2022-01-15 for three months']],
  [
    '2021-01-01',
    '2022-12-31',
    [
      'all of 2021 and 2022',
      '2021 and 2022',
      'only 2021 and 2022',
      'todo 2021 y 2022',
      'ganz 2021 und 2022',
      'toute 2021 et 2022',
      '2021 und 2022',
    ],
  ],
];

test('windows in words are read whole', () => {
  for (const [start, end, texts] of windows)
    for (const text of texts) assert.deepEqual(windowOf(`BTC 1d, ${text}`), [start, end], text);
});

test('the middle band is the simple average of the bands, on the side that was said', () => {
  const buys = 'buy BTC when price closes below the lower bollinger band (30, 2)';
  assert.match(exitOf(`${buys}, sell at the middle band`).join(), /close > sma\(close, 30\)/);
  assert.match(exitOf('sell when the close is above the middle band').join(), /close > sma\(close, 20\)/);
  assert.match(exitOf('sell when the close is above the middle Bollinger band').join(), /close > sma\(close, 20\)/);
  const upper = 'buy BTC when price closes above the upper bollinger band';
  assert.match(exitOf(`${upper}, sell at the middle band`).join(), /close < sma\(close, 20\)/);
  assert.match(exitOf('verkaufe am mittleren Band').join(), /close > sma\(close, 20\)/);
  assert.match(exitOf('vende en la banda media').join(), /close > sma\(close, 20\)/);
  assert.match(exitOf('vends à la bande médiane').join(), /close > sma\(close, 20\)/);
});

test('a price over one average is no cross of two, and nothing is said twice', () => {
  const over = /crosses_above\(close, sma\(close, 50\)\)/;
  assert.match(entryOf('kaufen, wenn der Schlusskurs über den 50er SMA steigt').join(), over);
  assert.match(entryOf('kaufen, wenn der Schlusskurs über den SMA(50) steigt').join(), over);
  assert.match(entryOf('buy when the close crosses above the 50sma').join(), over);
  assert.match(entryOf('comprar cuando el precio cruza por encima de la media móvil de 50').join(), over);
  assert.match(entryOf('acheter quand le cours passe au-dessus de la moyenne mobile 50').join(), over);
  const twice = 'buy when ema 9 crosses above ema 21, take profit twice the stop, over the last quarter of 2023';
  assert.equal(entryOf(twice).length, 1);
  assert.equal(entryOf('buy when ema 9 crosses above ema 21 and ema 9 crosses above ema 21').length, 1);
});

test('a cross of two averages by their periods alone is read in four languages', () => {
  const texts = [
    'buy on the cross of the 50 and 200 moving averages',
    'kaufen beim Kreuzen der Durchschnitte 50 und 200',
    'comprar en el cruce de medias de 50 y 200',
    'acheter au croisement des moyennes 50 et 200',
  ];
  for (const text of texts) {
    assert.match(entryOf(text).join(), /^sma_cross_up .*50.*200/, text);
    assert.deepEqual(read(text).notUnderstood, [], text);
  }
});

const OPENING =
  'BTC 1h, buy when close is above EMA(100) and RSI(14) below 35, sell when RSI(14) is above 65, 2023 to 2024';
const after = async (...messages: string[]) => (await talk(messages, await backtestDeps())).last;
const rulesOf = ({ working: { collected } }: Step) =>
  [collected.entry, collected.exit].map((rules) => rules.map((rule) => ruleWords(rule)).join(' & '));

test('a correction of a threshold changes only what it names', async () => {
  const corrections = [
    "seuil d'achat du RSI à 30 plutôt",
    'RSI threshold 30 rather than 35 for the entry',
    'RSI-Schwelle 30 statt 35 für den Einstieg',
    'umbral de compra del RSI a 30 mejor',
  ];
  for (const correction of corrections) {
    const step = await after(OPENING, correction);
    const [entry = '', exit = ''] = rulesOf(step);
    assert.match(entry, /ema.*100.* & .*rsi\(close, 14\) < 30/, correction);
    assert.match(exit, /rsi\(close, 14\) > 65/, correction);
    assert.equal(step.mode, 'plan_signals');
    assert.doesNotMatch(step.content, /did not understand|nicht verstanden|No he entendido|pas compris/, correction);
  }
});

test('doubt moves nothing, and a question about agreeing says what comes next', async () => {
  const doubts = [
    'hmm not sure',
    'not sure',
    "I'm not sure yet",
    'bin mir nicht sicher',
    'no estoy seguro',
    'je ne sais pas',
  ];
  for (const doubt of doubts)
    assert.equal((await after('daily btc trend following', doubt)).mode, 'plan_signals', doubt);
  const asked = [
    'sure?',
    'what happens if i say go on?',
    'what happens if I say yes?',
    'was passiert, wenn ich ja sage?',
    '¿qué pasa si digo que sí?',
    'que se passe-t-il si je dis oui ?',
  ];
  for (const question of asked) {
    const step = await after('daily btc trend following', question);
    assert.equal(step.mode, 'plan_signals', question);
    assert.match(
      step.content,
      /propose signals|schlage ich Signale vor|propongo señales|propose des signaux/,
      question,
    );
  }
});

test('a share alone is of what was spoken of last, two periods of the crosses that are known', async () => {
  const risk = await after('buy ETH daily when MACD crosses up', 'risk 2 %', 'wait no, 1 percent');
  assert.equal(risk.working.collected.max_risk_per_trade, 0.01);
  const stop = await after('ETH 1h', 'add a trailing stop of 3%', 'fine, a fixed one of 3%');
  assert.equal(stop.working.collected.settings.fixed_stop_pct, 0.03);
  const crosses = 'BTC 1h, buy when ema 9 crosses above ema 21, sell when ema 9 crosses below ema 21';
  const both = rulesOf(await after(crosses, 'no wait, use 12 and 26 for both'));
  for (const rules of both) assert.match(rules, /12.*26/);
  assert.equal((await after('hallo, ich will ETH 1h Trendfolge', 'mach du')).mode, 'assemble_strategy');
});

test('what a refusal of days left unread is not taken up by a later message', async () => {
  const step = await after(
    'BTC 1h, buy when RSI(14) crosses above 30, from 2024-02-31 to 2024-12-31',
    'actually make it 1.5% risk',
  );
  assert.deepEqual(step.working.collected.entry, []);
});

test('to delete everything is refused in four languages', () => {
  const texts = [
    'delete all my data',
    'lösche alle meine Daten',
    'borra todos mis datos',
    'supprime toutes mes données',
  ];
  for (const text of texts) assert.equal(read(text).refused.length, 1, text);
});

test('run answers in four languages say what luck alone does beside another reason', () => {
  const belief = {
    ...{ asset: 'BTC', timeframe: '1d', place: 1, trades: 40, sharpe: 0.4, leader_return: 0.1, exhausted_on: null },
    ...{ tries: 2, eligible: 2, least: 30, profitable: 1, best_return: 0.1 },
    ...{ fails: 'timing' as const, luck_p: 0.5, market_p: 0.1, timing_p: 0.5 },
  } as const;
  const tested = { candidates: [], best: 0, verdict: '', belief, luck_p: 0.5, market_return: 0 };
  const all = { ...tested, window: { start: '', end: '' } };
  assert.match(verdictIn('de', all), /So, wie es ist, ist Zufall allein/);
  assert.match(verdictIn('es', all), /Tal como está, la suerte sola/);
  assert.match(verdictIn('fr', all), /En l’état, le hasard seul/);
});

test('an exception is the opposite state, an event in one is named, and a written formula stays as it is', async () => {
  const opening = 'BTC 1h, buy when EMA 9 crosses above EMA 21';
  const state = await after(`${opening} unless RSI is above 70`);
  assert.deepEqual(
    state.working.collected.entry.map(({ params }) => params.when),
    [undefined, 'rsi(close, 14) <= 70'],
  );
  const event = await after(`${opening} unless RSI crosses above 70`);
  assert.equal(event.working.collected.entry.length, 1);
  assert.match(event.content, /unless RSI crosses above 70/);
  const written = await after('BTC 1h. long: crosses_above(rsi(close,14), 30) and volume>1.5*sma(volume,20)');
  assert.deepEqual(
    written.working.collected.entry.map(({ params }) => params.when),
    ['crosses_above(rsi(close, 14), 30)', 'volume > 1.5 * sma(volume, 20)'],
  );
});

test('a correction without a verb is of the side that is known, and a further condition joins its rules', async () => {
  const short =
    'ETH 4h, short when EMA 20 crosses below EMA 50 and ADX is above 25, cover when EMA 20 crosses above EMA 50';
  const whenOf = ({ working }: Awaited<ReturnType<typeof after>>) =>
    working.collected.short_entry.map(({ name, params }) => `${name} ${String(params.threshold ?? params.when)}`);
  assert.deepEqual(whenOf(await after(short, 'adx > 20')), ['ema_cross_down undefined', 'adx_strong_trend 20']);
  assert.deepEqual(whenOf(await after(short, 'and only if RSI is above 40')), [
    'ema_cross_down undefined',
    'adx_strong_trend 25',
    'formula rsi(close, 14) > 40',
  ]);
});

test('what agrees may have small talk behind it, and what takes it back agrees to nothing', () => {
  for (const yes of [
    'yes, start it before my break is over',
    'ja, bitte starten',
    'sí, empieza',
    'oui, vas-y, démarre',
  ])
    assert.equal(agrees(yes), true, yes);
  for (const no of ['yes but not yet', 'no, do not run it', 'ok, later', 'ja, aber erst morgen', 'oui, mais plus tard'])
    assert.equal(agrees(no), false, no);
});

test('an ATR alone is of the stop that is known, and a filter joins, leaves and changes its kind', async () => {
  const opening = 'BTC 4h, buy when RSI is below 40 and price above EMA 200, sell when RSI is above 60';
  const stop = await after(opening, 'stop 1.5 ATR', 'actually 2 ATR');
  assert.equal(stop.working.collected.settings.atr_volatility_factor, 2);
  assert.equal(stop.working.collected.entry.length, 2);
  const namesOf = ({ working }: Awaited<ReturnType<typeof after>>) =>
    working.collected.entry.map(({ name, params }) => String(params.when ?? name));
  assert.deepEqual(namesOf(await after(opening, 'swap the ema for an sma')), ['rsi(close, 14) < 40', 'is_above_sma']);
  const spanish = 'BTC 1h: compra cuando el RSI está por debajo de 30';
  const joined = await after(spanish, 'añade filtro: adx mayor que 20');
  assert.deepEqual(namesOf(joined), ['rsi(close, 14) < 30', 'adx_strong_trend']);
  const left = await after(spanish, 'añade filtro: adx mayor que 20', 'quita el filtro adx');
  assert.deepEqual(namesOf(left), ['rsi(close, 14) < 30']);
});

test('a condition before its word to leave, or after "close when", sells', () => {
  const texts = [
    'btc 1d: rsi 14 < 30 buy, rsi 14 > 70 close it',
    'btc 1d: buy when rsi(14) is below 30, close when it is above 70',
    'btc 1d: rsi 14 < 30 = buy, rsi 14 > 70 = out',
    'btc 1d: rsi 14 < 30 -> buy, rsi 14 > 70 -> exit',
  ];
  for (const text of texts) {
    assert.match(entryOf(text).join('; '), /^[^;]*rsi[^;]*30[^;]*$/, text);
    assert.match(exitOf(text).join('; '), /^[^;]*rsi[^;]*70[^;]*$/, text);
  }
  assert.match(entryOf('btc 1d: buy at the close when rsi(14) is below 30').join('; '), /^[^;]*rsi[^;]*30[^;]*$/);
});

test('assets change by their names, a test is run again, and what there is is told', () => {
  const held = [...assets, { symbol: 'ETH', names: ['ethereum'], isHeld: true }];
  for (const text of [
    'change BTC to ETH',
    'swap btc for eth',
    'tausche BTC gegen ETH',
    'cambia BTC por ETH',
    'remplace BTC par ETH',
  ]) {
    const { change, notUnderstood } = readMessage(text, known, held);
    assert.deepEqual([change, notUnderstood], [{ asset: 'ETH' }, []], text);
  }
  for (const text of [
    'repeat it only for 2022',
    'wiederhole es für 2022',
    'repítelo solo con 2022',
    'refais-le pour 2022',
  ]) {
    const { intent, change } = read(text);
    assert.deepEqual([intent, change.dates], ['rerun', { start_date: '2022-01-01', end_date: '2022-12-31' }], text);
  }
  for (const text of [
    'which coins do you have?',
    'welche Zeiteinheiten gibt es?',
    '¿qué monedas tienes?',
    "c'est quoi les unités de temps possibles ?",
  ]) {
    assert.deepEqual([read(text).topics, read(text).change], [['offered'], {}], text);
  }
});

test('an oscillator has its period in the condition to leave too, though only that to buy names it', () => {
  const texts = [
    'btc 1d: buy when rsi 7 is below 20, sell above 80',
    'btc 1d: buy rsi 7 below 20, sell when it is above 80',
    'btc 1d rsi 7: below 20 buy, above 80 sell',
    'btc 1d rsi de 7: por debajo de 20 compro, por encima de 80 vendo',
    'btc 1d: kaufen wenn der rsi 7 unter 20 ist, verkaufen wenn er über 80 ist',
  ];
  for (const text of texts) {
    const rules = [entryOf(text).join('; '), exitOf(text).join('; ')];
    assert.deepEqual(
      rules.map((words) => [...words.matchAll(/rsi\(close, (\d+)\) [<>] (\d+)/g)].map(([, ...numbers]) => numbers)),
      [[['7', '20']], [['7', '80']]],
      `${text}: ${rules.join(' | ')}`,
    );
  }
});

test('what a stranger said in one breath: a band without a name, a share that is nuts', () => {
  assert.match(entryOf('eth 1d buy below the lower band (20, 2)').join(), /bb_below_lower/);
  const before = { ...known, max_risk_per_trade: 0.02, share_of: 'max_risk_per_trade' } as const;
  assert.equal(readMessage('2% is nuts. make it 1%', before, assets).change.max_risk_per_trade, 0.01);
  assert.equal(readMessage('and on 1h, not 15m', { ...known, timeframe: '15m' }, assets).change.timeframe, '1h');
  assert.match(entryOf('achète si le prix est au-dessus de la mm exponentielle 100').join(), /ema/);
});

import assert from 'node:assert/strict';
import test from 'node:test';
import { readMessage } from '../../../../../service/assistant/built-in/read-message.js';
import { freshWorking } from '../../../../../service/assistant/index.js';
import { talk } from '../../../../support/assistant.js';
import { backtestDeps } from '../../../../support/backtest-deps.js';
import { after, assets } from '../../../../support/said-back.js';

const green = 'btc 1h, buy when supertrend turns green, sell when it turns red';
const isGreen = 'buy on supertrend_flip_up (window 10, multiplier 3)';
const isRed = 'sell on supertrend_flip_down (window 10, multiplier 3)';

test('a state after "only" joins the rules that it bounds, on its side', () => {
  for (const text of [
    'now only longs above the 200 ema pls',
    'oh and he only takes it above the 200 ema',
    'only buy when the price is above the 200 ema',
    'nur Longs über dem 200er EMA',
    'nur kaufen wenn der Kurs über dem EMA 200 liegt',
    'solo largos por encima de la EMA 200',
    'seulement des longs au-dessus de la MME 200',
  ])
    assert.equal(after(green, text), `BTC, 1h bars, ${isGreen} and price_above_ema (window 200), ${isRed}`, text);
  const short = 'btc 1h, short when macd crosses down, cover when it crosses up';
  assert.match(
    after(short, 'only short below the 200 ema'),
    /short on macd_bearish_cross .* and .* close < ema\(close, 200\), buy/,
  );
  assert.match(
    after(`${green}. Only above the 200 ema`),
    /and price_above_ema \(window 200\), sell on supertrend_flip_down \(window 10, multiplier 3\)$/,
  );
  // An event after "only" is another one.
  assert.match(after('btc 1h, buy when rsi crosses above 30', 'only buy when rsi crosses above 25'), /threshold 25\)$/);
});

test('each side leaves on its own condition, and both on the opposite signal', () => {
  const sided = [
    'long when MACD crosses up, short when it crosses down. Longs exit on RSI above 70, shorts exit on RSI below 30',
    'long when MACD crosses up, short when it crosses down. Longs close when RSI > 70 and shorts close when RSI < 30',
    'Long wenn MACD nach oben kreuzt, Short wenn MACD nach unten kreuzt. Longs aussteigen wenn RSI über 70, Shorts aussteigen wenn RSI unter 30',
    'largo cuando el MACD cruza hacia arriba, corto cuando cruza hacia abajo. Los largos salen cuando el RSI está por encima de 70, los cortos salen cuando el RSI está por debajo de 30',
    'long quand le MACD croise à la hausse, short quand il croise à la baisse. Les longs sortent quand le RSI est au-dessus de 70, les shorts sortent quand le RSI est sous 30',
  ];
  for (const text of sided)
    assert.match(
      after(`btc 1h, ${text}`),
      /buy on macd_bullish.*, sell on the formula rsi\(close, 14\) > 70, sell short on macd_bearish.*, buy back on the formula rsi\(close, 14\) < 30$/,
      text,
    );
  const both = [
    'long when supertrend turns green, short when it turns red, always exit on the opposite signal',
    'long wenn der Supertrend auf grün dreht, short wenn er auf rot dreht, raus immer beim Gegensignal',
    'largo cuando el supertrend se pone verde, corto cuando se pone rojo, salgo siempre con la señal contraria',
    'long quand le supertrend passe au vert, short quand il passe au rouge, et je sors toujours au signal inverse',
  ];
  for (const text of both)
    assert.match(
      after(`btc 1h, ${text}`),
      /sell on supertrend_flip_down .* short on supertrend_flip_down .* back on supertrend_flip_up/,
      text,
    );
  for (const text of [
    'remove the shorts',
    'enlève les shorts',
    'quita los cortos',
    'Shorts weg',
    'fuera los cortos',
    'plus de shorts',
  ])
    assert.equal(after(`btc 1h, ${both[0]}`, text), `BTC, 1h bars, ${isGreen}, ${isRed}`, text);
});

test('"= close", "dump it wen" and "the cross down" are exits of the event that was said', () => {
  const crossed =
    'BTC, 1h bars, buy on ema_cross_up (window_fast 9, window_slow 21), sell on ema_cross_down (window_fast 9, window_slow 21)';
  for (const text of [
    'btc 1h, ema 9/21 cross up = long, cross down = close',
    'btc 1h, EMA 9/21 Kreuz nach oben = kaufen, Kreuz nach unten = raus',
    'btc 1h, cruce EMA 9/21 hacia arriba = comprar, hacia abajo = salir',
    'btc 1h, croisement EMA 9/21 à la hausse = achat, à la baisse = sortie',
    'btc 1h, buy wen ema 9 crosses above ema 21 n dump it wen it crosses below',
  ])
    assert.equal(after(text), crossed, text);
  for (const text of [
    'btc 1h, long when ema 9 crosses above ema 21 and rsi is above 50, exit on the cross down',
    'btc 1h, kaufe wenn EMA 9 über EMA 21 kreuzt und RSI über 50, raus bei der Kreuzung nach unten',
    'btc 1h, compra cuando la EMA 9 cruza por encima de la EMA 21 y el RSI está por encima de 50, salgo con el cruce a la baja',
    "btc 1h, achat quand l'EMA 9 croise au-dessus de l'EMA 21 et le RSI au-dessus de 50, sortie au croisement à la baisse",
  ])
    assert.match(
      after(text),
      /and the formula rsi\(close, 14\) > 50, sell on ema_cross_down \(window_fast 9, window_slow 21\)$/,
      text,
    );
});

test('a condition without a name is of the other side of a named signal, or of the oscillator that was said', () => {
  for (const text of [
    'eth daily, long when price closes above the cloud, short when it closes below',
    'eth im Tageschart: long wenn der Kurs über der Wolke schließt, short wenn er darunter schließt',
    'eth en diario: largo cuando el precio cierra por encima de la nube, corto cuando cierra por debajo',
    'eth en journalier : long quand le prix clôture au-dessus du nuage, short quand il clôture en dessous',
  ])
    assert.match(after(text), /buy on ichimoku_bullish .*sell short on ichimoku_bearish /, text);
  assert.match(
    after('btc 1h, buy when the rsi is below 30 and price above ema 200, sell when it is above 70'),
    /price_above_ema \(window 200\), sell on the formula rsi\(close, 14\) > 70$/,
  );
});

test('the ATR trailing stop that the price crosses is a rule, and otherwise the stop', () => {
  const line = 'btc daily, buy when rsi is below 30, get out when the ATR trailing stop (10, 2) flips down';
  assert.match(after(line), /sell on atr_trailing_stop_flip_down \(window 10, multiplier 2\)$/);
  assert.match(after(line, 'tighten the atr trailing stop from 2 to 1.5'), /flip_down \(window 10, multiplier 1.5\)$/);
  assert.match(
    after('btc daily, buy when the price closes above the ATR trailing stop (10, 2), sell when it closes below it'),
    /buy on atr_trailing_stop_long \(window 10, multiplier 2\), sell on atr_trailing_stop_short \(window 10, multiplier 2\)$/,
  );
  assert.match(
    after('btc daily, buy when rsi is below 30, 3 ATR trailing stop', 'ATR trailing stop 2'),
    /rsi\(close, 14\) < 30, a stop 2 times/,
  );
});

const levels = 'btc 1h, buy when rsi < 30 and price above the 200 ema, sell when rsi > 70';
const exchanged = (entry: string, exit: string) =>
  `BTC, 1h bars, buy on ${entry} and price_above_ema (window 200), sell on ${exit}`;

test('one indicator takes the place of another, with its levels, and the other rules stay', () => {
  const money = exchanged('mfi_oversold (window 14, threshold 30)', 'mfi_overbought (window 14, threshold 70)');
  for (const text of [
    'use the MFI instead of the RSI',
    'replace the RSI with the MFI',
    'not the RSI, i meant the MFI. same levels',
    'statt RSI lieber MFI',
    'ersetze den RSI durch den MFI',
    'nicht RSI, sondern MFI',
    'usa el MFI en lugar del RSI',
    'cambia el RSI por el MFI',
    'utilise le MFI à la place du RSI',
    'remplace le RSI par le MFI',
    'plutôt le MFI que le RSI',
  ])
    assert.equal(after(levels, text), money, text);
  assert.equal(
    after(levels, 'use stoch rsi instead of the rsi'),
    exchanged('the formula stoch_rsi(14) < 0.3', 'the formula stoch_rsi(14) > 0.7'),
  );
  assert.equal(
    after(levels, 'use williams %r instead of the rsi: buy below -90, sell above -10'),
    exchanged('the formula williams_r(14) < -90', 'the formula williams_r(14) > -10'),
  );
  assert.match(
    after('btc 1h, buy on a bullish engulfing above the 50 sma', 'swap the bullish engulfing for a hammer'),
    /buy on hammer_trigger .* and is_above_sma \(window 50\)$/,
  );
  assert.match(
    after(
      'btc 1h, buy when the price breaks the upper bollinger band',
      'prueba con el canal de Keltner en vez de la banda de Bollinger',
    ),
    /buy on kc_upper_breakout /,
  );
  assert.match(
    after('btc 1h, buy when macd crosses up, sell when it crosses down', 'replace macd with supertrend'),
    /supertrend_flip_up .*sell on supertrend_flip_down/,
  );
  // Alone it takes the place of the one indicator that all rules are of.
  for (const text of ['rather the mfi', 'lieber MFI', 'mejor el MFI', 'plutôt le MFI', 'same but mfi instead'])
    assert.match(
      after('btc 1h, buy when rsi < 30, sell when rsi > 70', text),
      /buy on mfi_oversold .* sell on mfi_overbought \(window 14, threshold 70\)$/,
      text,
    );
  // The CCI has other levels: what nothing says is named, and the rules stay.
  const known = { ...freshWorking.collected, ...readMessage(levels, freshWorking.collected, assets).change };
  const { change, notUnderstood } = readMessage(
    'swap the RSI for the CCI',
    known as typeof freshWorking.collected,
    assets,
  );
  assert.deepEqual([change, notUnderstood], [{}, ['swap the RSI for the CCI']]);
});

test('both levels or periods are said in one breath', () => {
  const turtle = 'eth daily, buy a break of the 20 day high, sell when it breaks the 10 day low';
  for (const text of [
    'actually make it 55 days in and 20 days out, the slow system',
    '55 in, 20 out',
    'lieber 55 Tage rein und 20 Tage raus',
    'mejor 55 días para entrar y 20 para salir',
    'plutôt 55 jours pour entrer et 20 pour sortir',
  ])
    assert.match(
      after(turtle, text),
      /highest\(high, 55\)\[1\], sell on the formula close < lowest\(low, 20\)\[1\]$/,
      text,
    );
  for (const text of [
    'loosen it, below 30 and above 70',
    'lockerer, unter 30 und über 70',
    'por debajo de 30 y por encima de 70',
    'sous 30 et au-dessus de 70',
  ])
    assert.match(
      after('eth daily, buy when mfi is below 20, sell when it is above 80', text),
      /oversold .*threshold 30\), .*overbought .*threshold 70\)$/,
      text,
    );
  for (const text of [
    'vwap over 50 bars, in the entry and in the exit',
    'VWAP über 50 Kerzen, bei Einstieg und Ausstieg',
    'vwap sobre 50 velas',
    'vwap over 50 days',
  ])
    assert.match(
      after('sol 1h, buy when price is below the vwap, sell when it is above the vwap', text),
      /vwap_below \(window 50\), sell on vwap_above \(window 50\)$/,
      text,
    );
});

test('dates at the end of a sentence, and parts of the year that is known', () => {
  assert.match(after('btc 1h, buy when rsi < 30, stop 2 percent. 2023'), /from 2023-01-01 to 2023-12-31/);
  assert.match(
    after(
      'btc 1h, compra cuando rsi < 30 y sal cuando el precio cae por debajo de la media simple de 20. De enero de 2021 a diciembre de 2023',
    ),
    /sma\(close, 20\)\), from 2021-01-01 to 2023-12-31$/,
  );
  const parts: readonly (readonly [string, string])[] = [
    ['only the first half of the year', '2022-01-01 to 2022-06-30'],
    ['only the second quarter', '2022-04-01 to 2022-06-30'],
    ['im ersten Halbjahr', '2022-01-01 to 2022-06-30'],
    ['solo el primer semestre', '2022-01-01 to 2022-06-30'],
    ['seulement le premier trimestre', '2022-01-01 to 2022-03-31'],
  ];
  for (const [text, window] of parts)
    assert.match(after(`${green}, in 2022`, text), new RegExp(`from ${window}$`), text);
});

test('a ratio of reward and risk is no target in percent, and a share answers what was asked', () => {
  for (const text of [
    'stop 3 %, RR 2.5',
    'stop 3 %, r:r 1:2.5',
    'stop 3 %, crv 2.5',
    'stop 3 %, ratio riesgo beneficio 2.5',
  ])
    assert.match(after(green, text), /a target of 2.5 times the risk, a stop 3 % from the entry$/, text);
  assert.match(after(green, 'stop 3 %, tp 6'), /a target of 2 times the risk/);
  for (const [question, answer] of [
    ['how much should I risk on each trade?', "let's do 1 percent"],
    ['wie viel soll ich pro Trade riskieren?', 'sagen wir 1 %'],
    ['¿cuánto debería arriesgar?', 'pues digamos 1 %'],
    ['combien je devrais risquer par trade ?', 'disons 1 %'],
  ] as const)
    assert.match(after(green, question, answer), /1 % of the account at risk in a trade$/, answer);
});

test('assets that trade together are one account, and one that is taken away is none to trade', () => {
  for (const text of [
    'I want to run BTC and ETH together out of one account, 1h',
    'ich möchte BTC und ETH zusammen auf einem Konto handeln, 1h',
    'quiero operar BTC y ETH juntos en la misma cuenta, 1h',
    'je veux trader btc et eth ensemble sur le meme compte, en 1h',
  ]) {
    assert.equal(after(text), 'one account split equally over BTC and ETH, 1h bars', text);
    for (const more of ['rajoute sol', 'bring back SOL', 'nimm SOL dazu', 'añade SOL'])
      assert.match(after(text, more), /over BTC, ETH and SOL, /, more);
    for (const less of ['drop ETH', 'throw ETH out', 'quita ETH', 'enlève ETH', 'ohne ETH'])
      assert.equal(after(text, less), 'BTC, 1h bars', less);
  }
  const known = { ...freshWorking.collected, asset: 'BTC' };
  assert.deepEqual(readMessage('drop ETH', known, assets).change, {});
});

test('a wish to get rich keeps its asset, and a run is compared with the one before it when asked', async () => {
  const rich = await talk(['i want to get rich with SOL'], await backtestDeps());
  assert.match(rich.steps[0]?.content ?? '', /^No\. Nobody can guarantee.*So far: SOL/s);
  const opening = 'BTC daily, buy when RSI(14) crosses above 40, sell at 65, stop 4 %, 2022 to 2024';
  const questions = [
    'is that better than before?',
    'stop 6 %',
    'so is that better or worse than the one before?',
    '¿cuál de las dos fue mejor?',
    "c'est mieux qu'avant ?",
    'ist das besser als vorher?',
    'how long does a trade last on average?',
    'wie lange dauert ein Trade im Schnitt?',
    'can I trust that this makes money in the future?',
  ];
  const { steps } = await talk([opening, 'go on', 'go on', 'go on', ...questions], await backtestDeps());
  const [none, , english, spanish, french, german, lasted, dauerte, trust] = steps
    .slice(4)
    .map(({ content }) => content);
  const tested = steps[5]?.working.tested;
  const returns = [tested?.before?.tested, tested].map(
    (each) => each?.candidates[each.best ?? -1]?.figures.total_return ?? 0,
  );
  const isMore = (returns[1] ?? 0) > (returns[0] ?? 0);
  assert.match(none ?? '', /no other run to compare with/);
  assert.match(english ?? '', isMore ? /^The run now returned more/ : /^The run before returned more/);
  assert.match(spanish ?? '', /^La prueba de (?:ahora|antes) rindió más.*Comparado con antes/s);
  assert.match(french ?? '', /^Le test (?:de maintenant|d'avant) a rapporté plus/);
  assert.match(german ?? '', /^Der Lauf (?:jetzt|davor) brachte mehr/);
  const hours = tested?.candidates[tested.best ?? 0]?.record?.hours ?? 0;
  assert.match(lasted ?? '', new RegExp(`lasted ${Number(hours.toFixed(1))} hours`));
  assert.match(dauerte ?? '', /Im Schnitt dauerte ein Trade/);
  assert.match(trust ?? '', /Nobody can guarantee/);
});

test('a rule that comes back takes the level or the period that is named with it', () => {
  const dropped = ['sol 4h, buy when heikin ashi turns green and adx above 25', 'drop the adx'];
  assert.match(after(...dropped, 'hmm put it back, adx above 20'), /adx_strong_trend \(window 14, threshold 20\)/);
  assert.match(after(...dropped, 'put it back with 20'), /adx_strong_trend \(window 20, threshold 25\)/);
});

test('one number takes the place of another, also with articles and a German ending', () => {
  const known = 'btc 4h, buy when macd crosses up and close is above the 200 ema';
  for (const text of ['use the 100 instead of the 200', 'nimm den 100er statt dem 200er', 'nimm 100 statt 200']) {
    assert.match(after(known, text), /price_above_ema \(window 100\)/, text);
  }
});

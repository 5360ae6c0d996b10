import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import type { Language } from '../../service/assistant/built-in/canonical.js';
import { type ReadMessage, readMessage } from '../../service/assistant/built-in/read-message.js';
import { runs } from '../support/scale.js';

const assets = [
  { symbol: 'BTC', names: ['bitcoin'], isHeld: true },
  { symbol: 'ETH', names: ['ethereum'], isHeld: true },
  { symbol: 'SOL', names: ['solana'], isHeld: false },
];
const known = { settings: {}, timeframe: null, language: 'en' } as const;

/** A part of a message, with what must come back of it: parts of the change, or else of the list. */
interface Piece {
  readonly text: string;
  /** Each stands in the change as JSON, in the words of a refusal or in what was not understood. */
  readonly items: readonly (readonly [inChange: RegExp, written: string])[];
}

const piece = (text: string, ...items: readonly (readonly [RegExp, string])[]): Piece => ({ text, items });
const never = /(?!)/;
const share = (name: string, value: number): RegExp =>
  new RegExp(`"${name}":${Number((value / 100).toPrecision(12))}(?![\\d.])`);

const tenths = fc.integer({ min: 1, max: 99 }).map((value) => value / 10);
const whole = fc.integer({ min: 2, max: 190 });
const year = fc.integer({ min: 2019, max: 2025 });
const months = {
  en: 'January February March April June July August September October November December'.split(' '),
  de: 'Januar Februar März April Juni Juli August September Oktober November Dezember'.split(' '),
  es: 'enero febrero marzo abril junio julio agosto septiembre octubre noviembre diciembre'.split(' '),
  fr: 'janvier février mars avril juin juillet août septembre octobre novembre décembre'.split(' '),
} as const;

/** Words of a language for what pieces say. */
const vocabularies = {
  en: {
    ...{ stop: 'stop', target: 'target', risk: 'risk', account: 'account of', fee: 'fee', since: 'since', in: 'in' },
    ...{ over: 'over', daily: 'daily', candidates: 'candidates', buyWhen: 'buy when', sellWhen: 'sell when' },
    ...{ crossesAbove: 'crosses above', isBelow: 'is below', hold: 'hold at most', bars: 'bars', and: 'and' },
    ...{ strange: 'with the frobnicator at', and2: 'and also', without: 'no' },
  },
  de: {
    ...{ stop: 'Stop', target: 'Ziel', risk: 'Risiko', account: 'Konto', fee: 'Gebühr', since: 'seit', in: 'im' },
    ...{
      over: 'im Jahr',
      daily: 'täglich',
      candidates: 'Kandidaten',
      buyWhen: 'kaufe wenn',
      sellWhen: 'verkaufe wenn',
    },
    ...{ crossesAbove: 'kreuzt über', isBelow: 'ist unter', hold: 'halten höchstens', bars: 'Kerzen', and: 'und' },
    ...{ strange: 'mit der Mondphase', and2: 'und auch', without: 'kein' },
  },
  es: {
    ...{ stop: 'stop del', target: 'objetivo', risk: 'riesgo', account: 'cuenta de', fee: 'comisión', since: 'desde' },
    ...{ in: 'en', over: 'durante', daily: 'diario', candidates: 'candidatos', buyWhen: 'compra cuando', and: 'y' },
    ...{ sellWhen: 'vende cuando', crossesAbove: 'cruza por encima de', isBelow: 'por debajo de', without: 'sin' },
    ...{ hold: 'mantener como máximo', bars: 'velas', strange: 'con la fase lunar', and2: 'y además' },
  },
  fr: {
    ...{ stop: 'stop', target: 'objectif', risk: 'risque', account: 'compte de', fee: 'frais', since: 'depuis' },
    ...{ in: 'en', over: 'pendant', daily: 'journalier', candidates: 'candidats', buyWhen: 'achète quand', and: 'et' },
    ...{ sellWhen: 'vends quand', crossesAbove: 'croise au-dessus de', isBelow: 'en dessous de', without: 'sans' },
    ...{ hold: 'conserver au plus', bars: 'bougies', strange: 'avec la phase de la lune', and2: 'et aussi' },
  },
} as const;

const number = (value: number, language: Language): string =>
  language === 'en' ? String(value) : String(value).replace('.', ',');

/** Pieces of messages in one language: some that the grammar reads, some that nothing reads. */
function piecesIn(language: Language): fc.Arbitrary<Piece> {
  const words = vocabularies[language];
  const percent = (word: string, key: string) =>
    tenths.map((value) => {
      const written = number(value, language);
      return piece(`${word} ${written} %`, [share(key, value), written]);
    });
  const month = fc.constantFrom(...months[language]);
  return fc.oneof(
    percent(words.stop, 'fixed_stop_pct'),
    percent(words.risk, 'max_risk_per_trade'),
    percent(words.fee, 'fee_pct'),
    percent('slippage', 'slippage_pct'),
    // Without its sign it may be one all the same.
    tenths.map((value) => {
      const written = number(value, language);
      return piece(`${words.risk} ${written}`, [share('max_risk_per_trade', value), written]);
    }),
    fc
      .integer({ min: 500, max: 99_000 })
      .map((value) =>
        piece(`${words.account} ${value}`, [new RegExp(`"initial_balance":${value}(?!\\d)`), `${value}`]),
      ),
    whole.map((value) => piece(`${words.target} ${value}`, [/"reward_factor":|"fixed_target_pct":/, `${value}`])),
    year.map((value) => piece(`${words.over} ${value}`, [new RegExp(`"${value}-01-01"`), `${value}`])),
    fc
      .tuple(month, year)
      .map(([name, value]) =>
        piece(`${words.since} ${name} ${value}`, [new RegExp(`"start_date":"${value}-\\d\\d-01"`), `${value}`]),
      ),
    month.map((name) => piece(`${words.in} ${name}`, [never, name])),
    fc.tuple(fc.integer({ min: 1, max: 31 }), year).map(([day, value]) => {
      const written = `${value}-02-${String(day).padStart(2, '0')}`;
      return piece(`${words.since} ${written}`, [new RegExp(`"start_date":"${written}"`), written]);
    }),
    fc.constantFrom(
      piece('BTC', [/"asset":"BTC"/, 'BTC']),
      piece('ETH', [/"asset":"ETH"/, 'ETH']),
      piece('SOL', [never, 'SOL']),
      piece('4h', [/"timeframe":"4h"/, '4h']),
      piece('15m', [/"timeframe":"15m"/, '15m']),
      piece(words.daily, [/"timeframe":"1d"/, words.daily]),
      piece('fibonacci 61.8', [never, 'fibonacci 61.8']),
      piece('martingale', [never, 'martingale']),
      piece('x'.repeat(120), [never, '12']),
    ),
    fc
      .integer({ min: 1, max: 30 })
      .map((value) => piece(`${value} ${words.candidates}`, [new RegExp(`"count":${value}(?!\\d)`), `${value}`])),
    whole.map((value) =>
      piece(`${words.hold} ${value} ${words.bars}`, [new RegExp(`"max_hold_bars":${value}(?!\\d)`), `${value}`]),
    ),
    whole.map((value) => piece(`${words.strange} ${value}`, [never, `${value}`])),
    fc
      .tuple(whole, fc.integer({ min: 1, max: 99 }), fc.boolean())
      .map(([period, level, sells]) =>
        piece(
          `${sells ? words.sellWhen : words.buyWhen} RSI(${period}) ${words.crossesAbove} ${level}`,
          [new RegExp(`"window":${period}(?!\\d)|rsi\\(close, ${period}\\)`), `${period}`],
          [new RegExp(`"threshold":${level}(?!\\d)|, ${level}\\)`), `${level}`],
        ),
      ),
    fc
      .tuple(whole, fc.integer({ min: -200, max: 200 }))
      .map(([period, level]) =>
        piece(
          `${words.buyWhen} CCI(${period}) ${words.isBelow} ${level}`,
          [new RegExp(`cci\\(${period}, `), `${period}`],
          [new RegExp(`[<>] ${level}(?!\\d)|, ${level}\\)`), `${Math.abs(level)}`],
        ),
      ),
    fc
      .constantFrom('Aroon', 'MACD', 'Supertrend')
      .map((name) =>
        piece(`${words.without} ${name}`, [new RegExp(`"excluded":\\[[^\\]]*"${name.toLowerCase()}"`), name]),
      ),
    fc
      .constantFrom('Aroon', 'Ichimoku', 'Klinger', 'KVO', 'MFI', 'TSI', 'VWAP')
      .map((name) => piece(name, [new RegExp(name.toLowerCase()), name])),
  );
}

const languages: readonly Language[] = ['en', 'de', 'es', 'fr'];
const message = fc.constantFrom(...languages).chain((language) =>
  fc.record({
    language: fc.constant(language),
    pieces: fc.array(piecesIn(language), { minLength: 1, maxLength: 6 }),
    joints: fc.array(
      fc.constantFrom(', ', '; ', '. ', ` ${vocabularies[language].and} `, ` ${vocabularies[language].and2} `),
      {
        minLength: 6,
        maxLength: 6,
      },
    ),
  }),
);

/** What of a message comes back in no way. */
function dropped(pieces: readonly Piece[], { change, refused, notUnderstood }: ReadMessage): string[] {
  // A refusal is of the whole message, and says so.
  if (refused.length > 0) return [];
  const text = JSON.stringify(change);
  const list = notUnderstood.join('\n').toLowerCase();
  return pieces.flatMap(({ items }) =>
    items
      .filter(([inChange, written]) => !inChange.test(text) && !list.includes(written.toLowerCase()))
      .map(([, written]) => written),
  );
}

test('every number, day, asset and name of a message is in the change, a refusal or what was not understood', () => {
  fc.assert(
    fc.property(message, ({ language, pieces, joints }) => {
      const text = pieces.map(({ text: part }, i) => (i === 0 ? part : `${joints[i]}${part}`)).join('');
      const read = readMessage(text, { ...known, language }, assets);
      assert.deepEqual(
        dropped(pieces, read),
        [],
        `${text}\n${JSON.stringify(read.change)}\n${read.notUnderstood.join(' | ')}`,
      );
    }),
    { numRuns: runs(200, 50_000) },
  );
});

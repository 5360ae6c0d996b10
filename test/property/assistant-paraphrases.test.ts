import assert from 'node:assert/strict';
import test from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { settingsOf } from '../../service/assistant/built-in/assemble.js';
import type { Language } from '../../service/assistant/built-in/canonical.js';
import { merged } from '../../service/assistant/built-in/change.js';
import { type ReadMessage, readMessage } from '../../service/assistant/built-in/read-message.js';
import type { PlannedRule } from '../../service/assistant/candidate.js';
import { freshWorking } from '../../service/assistant/index.js';
import type { Collected } from '../../service/assistant/mind.js';
import { soak } from '../support/scale.js';
import {
  amounts,
  buyHeads,
  conditions,
  correctedOpening,
  corrections,
  coverHeads,
  intents,
  type Phrases,
  sellHeads,
  shares,
  shortHeads,
  sidedWishes,
  timeframes,
  windows,
} from './assistant-phrases.js';

const languages: readonly Language[] = ['en', 'de', 'es', 'fr'];
const assets = [
  { symbol: 'BTC', names: ['bitcoin'], isHeld: true },
  { symbol: 'ETH', names: ['ethereum'], isHeld: true },
];
const read = (text: string, language: Language): ReadMessage =>
  readMessage(text, { settings: {}, timeframe: null, language }, assets);

/** A number as a language writes it. */
const written = (value: number, language: Language): string =>
  language === 'en' ? String(value) : String(value).replace('.', ',');

interface Said {
  readonly language: Language;
  readonly phrase: string;
}

const each = (phrases: Phrases): Said[] =>
  languages.flatMap((language) => phrases[language].map((phrase) => ({ language, phrase })));

/** Where a phrase may stand: alone, or in a message with other things. */
const places: readonly ((phrase: string) => string)[] = [
  (phrase) => phrase,
  (phrase) => `BTC, ${phrase}`,
  (phrase) => `ETH. ${phrase}. MACD`,
];

/**
 * What does not come back of the phrases: of every second one in one of its places, and in a soak
 * of all in all of them.
 */
function unheard(
  said: readonly Said[],
  isHeard: (read: ReadMessage) => boolean,
  written: readonly ((phrase: string) => string)[] = places,
): string[] {
  return said.flatMap(({ language, phrase }, i) =>
    written.flatMap((place, k) => {
      if (!soak && (i % 2 === 1 || k !== (i / 2) % written.length)) return [];
      const text = place(phrase);
      const found = read(text, language);
      return isHeard(found)
        ? []
        : [
            `${language}: ${text}\n      ${JSON.stringify(found.change)} ${found.intent} ${found.refused.join()} ? ${found.notUnderstood.join('|')}`,
          ];
    }),
  );
}

const withNumber = (said: readonly Said[], value: number): Said[] =>
  said.map(({ language, phrase }) => ({ language, phrase: phrase.replace('{n}', written(value, language)) }));

const isWhole = ({ refused, notUnderstood }: ReadMessage): boolean => refused.length + notUnderstood.length === 0;

test('every way to say a share reads back exactly, in four languages', () => {
  const failed = shares.flatMap(({ name, percents, phrases }) =>
    percents.flatMap((percent) => {
      const value = Number((percent / 100).toPrecision(12));
      return unheard(withNumber(each(phrases), percent), (found) => {
        const { max_risk_per_trade, settings } = found.change;
        const own = name === 'max_risk_per_trade' ? max_risk_per_trade : settings?.[name];
        const others = shares.filter(
          (other) =>
            other.name !== name &&
            other.name in { ...settings, ...(max_risk_per_trade === undefined ? {} : { max_risk_per_trade }) },
        );
        return isWhole(found) && own === value && others.length === 0;
      });
    }),
  );
  assert.deepEqual(failed, [], failed.join('\n'));
});

test('every way to say an amount reads back exactly, in four languages', () => {
  const failed = amounts.flatMap(({ name, values, phrases }) =>
    values.flatMap((value) =>
      unheard(withNumber(each(phrases), value), (found) => {
        const { reward_factor, count, settings } = found.change;
        const own: Readonly<Record<string, unknown>> = { reward_factor, count, ...settings };
        return isWhole(found) && own[name] === value;
      }),
    ),
  );
  assert.deepEqual(failed, [], failed.join('\n'));
});

test('every way to say a timeframe or a window reads back exactly, in four languages', () => {
  const bars = timeframes.flatMap(({ timeframe, phrases }) =>
    unheard(each(phrases), (found) => isWhole(found) && found.change.timeframe === timeframe),
  );
  const days = windows.flatMap(({ dates, phrases }) =>
    unheard(each(phrases), (found) => {
      const { start_date, end_date, lookback_months } = found.change.dates ?? {};
      return (
        isWhole(found) &&
        (start_date ?? undefined) === dates.start &&
        (end_date ?? undefined) === dates.end &&
        (lookback_months ?? undefined) === dates.months
      );
    }),
  );
  const failed = [...bars, ...days];
  assert.deepEqual(failed, [], failed.join('\n'));
});

const wordsOf = ({ name, params }: PlannedRule): string =>
  name === 'formula'
    ? `formula ${String(params.when)}`
    : [name, ...Object.entries(params).map(([key, value]) => `${key}=${String(value)}`)].join(' ');

const isOnly = (rules: readonly PlannedRule[] | undefined, means: readonly RegExp[]): boolean =>
  rules?.length === 1 &&
  rules.every((rule) => means.some((form) => form.test(wordsOf(rule).replace(' smooth_window=3', ''))));

const inHeads = (heads: Phrases, phrases: Phrases): Said[] =>
  languages.flatMap((language) =>
    phrases[language].flatMap((phrase) =>
      heads[language].map((head) => ({ language, phrase: head.replace('{c}', phrase) })),
    ),
  );

test('every way to say a condition becomes this one rule, to buy and to sell, in four languages', () => {
  const alone = places.slice(0, 2);
  const failed = conditions.flatMap(({ means, phrases, toBuy }) => [
    ...(toBuy === undefined
      ? []
      : unheard(inHeads(buyHeads, toBuy), (found) => isWhole(found) && isOnly(found.change.entry, means), alone)),
    ...unheard(
      inHeads(buyHeads, phrases),
      (found) => isWhole(found) && isOnly(found.change.entry, means) && found.change.exit === undefined,
      alone,
    ),
    ...unheard(
      inHeads(sellHeads, phrases),
      (found) => isWhole(found) && isOnly(found.change.exit, means) && found.change.entry === undefined,
      alone,
    ),
  ]);
  assert.deepEqual(failed, [], failed.join('\n'));
});

test('a rule to sell short and one to buy back become what was said, in four languages', () => {
  const alone = places.slice(0, 2);
  const failed = conditions
    .slice(0, 6)
    .flatMap(({ means, phrases }) => [
      ...unheard(
        inHeads(shortHeads, phrases),
        ({ change, ...found }) =>
          isWhole({ change, ...found }) && isOnly(change.short_entry, means) && change.entry === undefined,
        alone,
      ),
      ...unheard(
        inHeads(coverHeads, phrases),
        ({ change, ...found }) =>
          isWhole({ change, ...found }) && isOnly(change.short_exit, means) && change.entry === undefined,
        alone,
      ),
    ]);
  assert.deepEqual(failed, [], failed.join('\n'));
});

test('every way to wish for sides, margin or moving levels runs with exactly these settings, in four languages', () => {
  const failed = sidedWishes.flatMap(({ runs, sides, phrases }) =>
    unheard(each(phrases), (found) => {
      const collected = merged({ ...freshWorking.collected, timeframe: '1h' }, found.change);
      const { execution_config } = settingsOf(collected);
      const isRun = isDeepStrictEqual({ ...execution_config }, runs);
      return isWhole(found) && isRun && (sides === undefined || found.change.sides === sides);
    }),
  );
  assert.deepEqual(failed, [], failed.join('\n'));
});

/** What is known of the things that corrections change. */
function known(collected: Collected): Readonly<Record<string, string | number | null | undefined>> {
  const [buys, sells] = [collected.entry, collected.exit].map((rules) => rules.map(wordsOf).join(' & '));
  return {
    entry: /rsi\(close, \d+\) < (\d+)/.exec(buys ?? '')?.[1],
    exit: /rsi\(close, \d+\) > (\d+)/.exec(sells ?? '')?.[1],
    period: /rsi\(close, (\d+)\)/.exec(buys ?? '')?.[1],
    ema: /price_above_ema window=(\d+)/.exec(buys ?? '')?.[1],
    ...{ risk: collected.max_risk_per_trade, reward: collected.reward_factor, asset: collected.asset },
    ...{ timeframe: collected.timeframe, noEma: collected.entry.length },
    stop: collected.settings.fixed_stop_pct as number,
    account: collected.settings.initial_balance as number,
  };
}

test('every way to correct one thing changes this thing and nothing else, in four languages', () => {
  const failed = corrections.flatMap(({ what, becomes, phrases }) =>
    each(phrases).flatMap(({ language, phrase }) => {
      const opening = read(correctedOpening[language], language);
      const before = { ...merged(freshWorking.collected, opening.change), language };
      const found = readMessage(phrase, before, assets);
      const [was, is] = [known(before), known(merged(before, found.change))];
      const changed = Object.keys(is).filter((key) => is[key] !== was[key]);
      const mayChange = what === 'noEma' ? ['noEma', 'ema'] : [what];
      const isRight = is[what] === becomes && changed.every((key) => mayChange.includes(key)) && isWhole(found);
      return isRight
        ? []
        : [`${language}: ${phrase}: ${changed.join()} ${JSON.stringify(found.change)} ? ${found.notUnderstood.join()}`];
    }),
  );
  assert.deepEqual(failed, [], failed.join('\n'));
});

test('every way to agree or to ask is heard as what it is, in four languages', () => {
  const failed = intents.flatMap(({ intent, phrases }) =>
    unheard(each(phrases), (found) => found.intent === intent && found.consents === (intent === 'agree'), [
      (phrase) => phrase,
    ]),
  );
  assert.deepEqual(failed, [], failed.join('\n'));
});

import { indicatorCatalogue, signals } from '../../../engine/index.js';
import { ordinaryWords } from '../language-model/plain-words.js';
import { english } from './phrases/english.js';
import { french } from './phrases/french.js';
import { german } from './phrases/german.js';
import { spanish } from './phrases/spanish.js';
import type { PhraseTable } from './phrases/table.js';

export type Language = 'en' | 'de' | 'es' | 'fr';

const tables: Readonly<Record<Language, PhraseTable>> = { en: english, de: german, es: spanish, fr: french };

/** Words that are common in one of the languages and in no other. */
const functionWords: Readonly<Record<Language, string>> = {
  en: 'the and with when of to buy is it what my for on at this please want would use',
  de: 'der die das und wenn ist nicht ich den im auf mit bei ein eine seit von dem kaufe verkaufe ja weiter nein hat geld risiko konto los bitte was wie passt mach oder doch nur nach unter uber tageschart trendfolge dann eben taglich ausbruch einverstanden warum letzte',
  es: 'el la los las cuando que es por para quiero comprar con una del desde riesgo sin adelante vale cuenta dinero cual fue entiendo ruptura ultimos tendencia si sigue dale acuerdo hasta grafico velas arriesga mejor ganamos enero cruza operacion',
  fr: "le les et la quand est je ne pas pour avec une du depuis acheter vendre j'achete oui d'accord vas-y tendance compte pourquoi risque non plutot c'est quoi des ca lance chose meme sur quel pire frais continue comprends journalier janvier dis passe-t-il",
};
const languages = Object.keys(tables) as Language[];
const wordsByLanguage = new Map(languages.map((each) => [each, new Set(functionWords[each].split(' '))]));

/** A row of characters that no reader reads. */
export const LONG_ROW = /[!-~]{100,}/g;

/** Without accents, in lower case, with one space between words. */
export const folded = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replace(/[\u2018\u2019`\u00b4]/g, "'")
    .replace(/[\u2013\u2014\u2212]/g, '-')
    .replace(/[\s\u00a0\u202f]+/g, ' ')
    // No word is as long, and patterns may walk such a row again and again.
    .replace(LONG_ROW, ' ... ');

/** Names of indicators, which traders of all languages write. */
const everywhere: ReadonlySet<string> = new Set([
  ...Object.keys(indicatorCatalogue).map((code) => code.toLowerCase()),
  ...signals.map(({ name }) => name.split('_')[0] ?? ''),
  ...[
    'bollinger',
    'supertrend',
    'donchian',
    'keltner',
    'stochastic',
    'slippage',
    'trailing',
    'drawdown',
    'candidates',
    'stopp',
  ],
]);

const own = new Map<Language, ReadonlySet<string>>();

/** Longer words of the phrases of one language that no other table has. */
function ownWords(language: Language): ReadonlySet<string> {
  const wordsOf = (each: Language) =>
    new Set(
      Object.values(tables[each])
        .flatMap((phrases) => phrases.split(/[^a-z]+/))
        .filter((word) => !everywhere.has(word)),
    );
  const known = own.get(language);
  if (known !== undefined) return known;
  const others = languages.filter((each) => each !== language).map(wordsOf);
  const found = new Set(
    [...wordsOf(language)].filter((word) => word.length >= 4 && !others.some((each) => each.has(word))),
  );
  own.set(language, found);
  return found;
}

/** The language of most words; that of the messages before where nothing tells. */
export function languageOf(text: string, before: Language): Language {
  const words = folded(text).split(/[^a-z'-]+/);
  let best: Language = before;
  let most = 0;
  for (const language of [before, ...languages]) {
    const count = words.filter(
      (word) => wordsByLanguage.get(language)?.has(word) || ownWords(language).has(word),
    ).length;
    if (count > most) [best, most] = [language, count];
  }
  return best;
}

interface Dictionary {
  readonly pattern: RegExp;
  readonly meanings: ReadonlyMap<string, string>;
  readonly words: ReadonlySet<string>;
}

const dictionaries = new Map<Language, Dictionary>();

/** The phrases of a language, before those of English, which all traders use. */
function dictionaryOf(language: Language): Dictionary {
  const known = dictionaries.get(language);
  if (known !== undefined) return known;
  const meanings = new Map<string, string>();
  const add = (table: PhraseTable, mayShadow: boolean) => {
    for (const [meaning, phrases] of Object.entries(table)) {
      for (const phrase of phrases.split('|')) {
        if (mayShadow || !ambiguous[language].has(phrase)) {
          if (!meanings.has(phrase)) meanings.set(phrase, meaning);
        }
      }
    }
  };
  add(tables[language], true);
  if (language !== 'en') add(english, false);
  const phrases = [...meanings.keys()].sort((a, b) => b.length - a.length);
  const escaped = phrases.map((phrase) => phrase.replace(/[.*+?^${}()|[\]\\&]/g, '\\$&'));
  const dictionary = {
    pattern: new RegExp(`(?<![a-z0-9_])(?:${escaped.join('|')})(?![a-z0-9_])`, 'g'),
    meanings,
    words: new Set(phrases.flatMap((phrase) => phrase.split(/[^a-z]+/))),
  };
  dictionaries.set(language, dictionary);
  return dictionary;
}

/** English phrases that mean something else in another language. */
const ambiguous: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: new Set(),
  de: new Set(['not', 'no', 'so', 'was', 'up', 'an', 'all', 'long', 'well', 'in', 'wer', 'k', 'y', 'bar', 'mar', 'to']),
  es: new Set(['no', 'y', 'mar', 'all', 'so', 'k', 'once', 'real', 'to', 'ma', 'min', 'in']),
  fr: new Set([
    'no',
    'y',
    'mar',
    'sept',
    'chance',
    'all',
    'so',
    'k',
    'ma',
    'risk',
    'to',
    'in',
    'real',
    'target',
    'double',
  ]),
};

const plainWords = new Set([
  ...signals.flatMap(({ name }) => name.split('_')),
  ...ordinaryWords.flatMap((line) => line.split(' ')),
  ...'puntos basicos points point punto longest shortest highest lowest there their these those they them then than that this have were been like some more your here really going years using into which thing things bar bought sold make made want chart charts euro dollar dollars euros trader traders bitcoin ethereum ether happens happen complete completes appears rest show please velas chart graphique diagramm forms strategies everything delete previous instructions print keys user users'.split(
    ' ',
  ),
  // Words of daily speech that are one letter away from a word of the grammar.
  ...'flow file none while must held code whose part sample case cash score sent pass knows drawn seed trials chains loop training done cores tree seen lease post ever node lock yours tail shown tells rise cell decided older hole train logs shell ties pieces rare halve latter sale depth pace choices lack sort skip marked timed free world wall mine trough tuning likes risky link camel info core finding edits cause beat bare layer feed chose feel feels felt feet foot food mood moon noon soon room roof door floor book cook cold home hope hopes hoped rope role tool wind wine fire hire hair fair pair paid said sand hand land lane life wife wise rose nose vote date data fate late rain main pain brain grain plane plate peace prize pride bright night light eight weight height wake wait walk talk tall ball hall mall fail mail nail sail bail hello mellow fellow drunk drink dream team steam beam mean meant meal deal dead head read ready heavy weather feather leather rather father mother brother other bother north south east west rest nest guest guess quest press dress stress class glass grass brass mass boss cost most host ghost coast toast boat coat goat road load toad fun sun gun bun son ton fan man men ten pen den hen zen gut nut cut hut shut shirt skirt shore stone stole stool storm sport spots spoke smoke smart heart hearts earth worth word wood mood'.split(
    ' ',
  ),
]);

const TYPO_WORDS_MAX = 200;
const names = ['bitcoin', 'ethereum', 'solana', 'dogecoin', 'hammer', 'engulfing', 'aroon', 'ichimoku', 'parabolic'];

/** Corrects words that are spelled almost like one that the grammar knows. */
function corrected(text: string, language: Language): string {
  const { words } = dictionaryOf(language);
  const vocabulary = [...words, ...names].filter((word) => word.length >= 3);
  let looked = 0;
  return text.replace(/(?<![a-z0-9_'])[a-z]{3,}(?![a-z0-9_'])/g, (word) => {
    if (words.has(word) || plainWords.has(word) || wordsByLanguage.get(language)?.has(word)) return word;
    if (looked++ >= TYPO_WORDS_MAX) return word;
    const whole = wholeOf(word, language);
    if (whole !== undefined) return whole;
    if (language !== 'en' && word.length < 6) return word;
    if (word.length === 3) return ['rsi', 'ema', 'sma', 'adx'].find((each) => isSwapped(word, each)) ?? word;
    const allowed = word.length >= 9 ? 2 : 1;
    let best: string | null = null;
    let least = allowed + 1;
    for (const each of vocabulary) {
      if (each.length < 4 && !(each === 'yes' && word === 'yess')) continue;
      if (Math.abs(each.length - word.length) > allowed || each[0] !== word[0]) continue;
      const off = edits(word, each);
      // Of two words as near, a letter was rather left out than changed.
      if (off < least || (off === least && off <= allowed && best !== null && best.length < each.length))
        [best, least] = [each, off];
    }
    return best ?? word;
  });
}

const VOWELS = /[aeiou]/g;
const wholes = new Map<Language, ReadonlyMap<string, string>>();

/** The word that a word without some of its vowels stands for: `abv`, `undr`, `vnta`. */
function wholeOf(word: string, language: Language): string | undefined {
  let known = wholes.get(language);
  if (known === undefined) {
    const found = new Map<string, string>();
    for (const each of dictionaryOf(language).words) {
      if (each.length < 4) continue;
      for (const short of shortened(each)) if (!found.has(short)) found.set(short, each);
    }
    known = found;
    wholes.set(language, known);
  }
  return known.get(word);
}

/** A word without one or all of the vowels after its first letter, where three letters are left. */
function shortened(word: string): string[] {
  const [first = '', rest] = [word[0], word.slice(1)];
  const all = first + rest.replace(VOWELS, '');
  const one = [...rest.matchAll(VOWELS)].map(({ index }) => first + rest.slice(0, index) + rest.slice(index + 1));
  return [all, ...(word.length >= 5 ? one : [])].filter((short) => short.length >= 3 && short !== word);
}

const isSwapped = (word: string, other: string): boolean =>
  word !== other && edits(word, other) === 1 && [...word].sort().join() === [...other].sort().join();

/** Edits that make one word of another; two letters that change places are one. */
export function edits(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let least = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, at(i - 2, j - 2) + 1);
      (rows[i] as number[])[j] = least;
    }
  }
  return at(a.length, b.length);
}

/**
 * Days as `2024-01-31`. With slashes English writes the month first or the day first, so there only
 * a day that can be one alone is read.
 */
const isoDays = (text: string, language: Language): string =>
  text
    .replace(/(?<!\d)(20\d\d)[/.](\d{1,2})[/.](\d{1,2})(?!\d)/g, (_, year, month, day) => isoDay(year, month, day))
    .replace(/(?<!\d)(\d{1,2})\. ?(\d{1,2})\. ?(20\d\d)(?!\d)/g, (_, day, month, year) => isoDay(year, month, day))
    .replace(/(?<!\d)(\d{1,2})[/-](\d{1,2})[/-](20\d\d)(?!\d)/g, (all: string, one, other, year) =>
      language !== 'en' || Number(one) > 12
        ? isoDay(year, other, one)
        : Number(other) > 12
          ? isoDay(year, one, other)
          : all,
    );

const isoDay = (year: string, month: string, day: string): string =>
  `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;

/** Numbers as English writes them, without thousands: `20.000` and `10 000`, `0,1`, `25k`, `5 bps`. */
function plainNumbers(text: string, language: Language): string {
  let plain = isoDays(text, language).replace(/(?<![\d.])\.(?=\d{1,4}(?!\d|\.\d))/g, '0.');
  if (language === 'en')
    plain = plain
      .replace(/(?<![\d(,])(\d{1,3})((?:,\d{3})+)(?!\d|,\d)/g, (all) => all.replaceAll(',', ''))
      // Nobody parts thousands so, whatever the language of the other words.
      .replace(/(?<![\d(,.])(\d{1,3}),(\d{1,2})(?= ?(?:%|percent|pct|prozent|por ciento|pour cent))/g, '$1.$2')
      .replace(/(?<![\d(,.])0,(\d{1,6})(?!\d|,|\))/g, '0.$1');
  else {
    plain = plain
      .replace(/(?<![\d(.])\d{1,3}(?:\.\d{3})+(?![\d.])/g, (all) => all.replaceAll('.', ''))
      .replace(/(?<![\d(,-])(\d{1,3}) (\d{3})(?![\d-])/g, '$1$2')
      .replace(/(?<![\d(,])(\d{1,6}),(\d{1,3})(?!\d|,\d|\))/g, (_, whole: string, part: string) =>
        part.length === 3 && whole !== '0' ? whole + part : `${whole}.${part}`,
      );
  }
  return (
    plain
      .replace(
        /(?<![\d.])(\d{1,6}(?:\.\d{1,3})?) ?(?:grand|thousand|tausend|tsd|mil|mille)(?![a-z0-9])/g,
        (_, digits: string) => String(Number(digits) * 1000),
      )
      .replace(/(?<![\d.])(\d{1,6}(?:\.\d{1,3})?)k(?![a-z0-9])/g, (_, digits: string) => String(Number(digits) * 1000))
      .replace(
        /(?<![\d.])(\d{1,4}(?:\.\d{1,4})?) ?(?:bps?|basis points|basispunkte|puntos basicos|points de base|pb|pdb)(?![a-z0-9])/g,
        (_, digits: string) => `${Number((Number(digits) / 100).toFixed(6))} %`,
      )
      .replace(/(?<![\d-])(20[0-3]\d)[- ]?([qh])([1-4])(?![a-z0-9])/g, '$2$3 $1')
      .replace(/(?<=\d) ?-?fach(?:e[nmrs]?)?(?![a-z])/g, ' times')
      // "den 50er SMA", "50sma"
      .replace(/(?<![a-z0-9.])(\d{1,4})(?:er(?![a-z])|(?=(?:day)?(?:sma|ema|wma|hma|ma)(?![a-z])))/g, '$1 ')
      .replace(/(?<![\d-])(20[0-3]\d) ?- ?(20[0-3]\d)(?![\d-])/g, '$1 to $2')
      .replace(/(?<=\d)(?=%)/g, ' ')
  );
}

/** The words of Spanish before which "si" is no "if", or a part of a longer phrase. */
const AGREES_AFTER = /^(?:y|que|pasa|salvo|excepto|digo|por|como|ocurre|sucede|pasaria|ok|vale|bueno|claro)$/;

/** "Si" of Spanish without its accent is "if" where a sentence goes on with it, and else "yes". */
const withConditions = (message: string, language: Language): string =>
  language !== 'es'
    ? language === 'fr'
      ? message.replace(/(?<=[\p{L}\d%)] )et (?:seulement )?si(?= |$)/giu, 'et quand')
      : message
    : message
        .replace(
          /(?<=[\p{L}\d%)] )y (?:solo |sólo )?si(?= el | la | los | las | rsi| adx| macd| precio| cierre)/giu,
          'y cuando',
        )
        .replace(/(?<!\p{L})sí(?!\p{L})/giu, 'vale')
        .replace(/(?<![\p{L}\d])(\p{L}{1,20}|[\d%)]{1,9}) si(?= \p{L})/giu, (all: string, word: string) =>
          AGREES_AFTER.test(folded(word)) ? all : `${word} cuando`,
        );

/** A message in the words that the grammar reads, in English whatever its language is. */
export function canonicalOf(message: string, language: Language): string {
  const text = plainNumbers(corrected(folded(withConditions(message, language)), language), language)
    .replace(/ ?(?:->|=>|\u2192) ?/g, ' to ')
    .replace(/(?<=[a-z]) ?= ?(?=[\d.])/g, ' ')
    // "EMA cross + RSI above 50"
    .replace(/ \+ (?=[a-z])/g, ' and ')
    // "By below 30" is a typing error.
    .replace(/(?<![a-z])by (?=(?:below|above|when|if|at|under|over)(?![a-z]))/g, 'buy ')
    // "Leave the EMA out", "lass den EMA weg"
    .replace(
      /(?<![a-z])(?:leave|take|throw|lass|nimm) ((?:the |den |die |das )?[a-z0-9 ]{2,20}?) (?:out|weg|raus)(?![a-z])/g,
      'without $1',
    )
    // "Shorts weg"
    .replace(
      /(?<=^|[,;.!] ?)((?:die |den |das |der |mit den )?[a-z0-9]{2,20}(?: [a-z0-9]{1,20})?) weg(?![a-z])/g,
      'without $1',
    )
    .replace(/(?<![a-z0-9])(?:\+ ?di|di ?\+|plus di|di plus)(?![a-z0-9])/g, 'plus_di')
    .replace(/(?<![a-z0-9])(?:- ?di|di ?-|minus di|di minus)(?![a-z0-9])/g, 'minus_di')
    .replace(/(?<![a-z0-9])% ?([kr])(?![a-z])/g, (_, letter: string) => (letter === 'k' ? 'stoch' : '%r'))
    .replace(/(?<= )&&?(?= )/g, 'and')
    // "RSI below 30 in, above 70 out", "55 days in and 20 days out"
    .replace(/(?<=\d\)?(?: (?:days?|bars?|candles?))?) (in|out)(?= ?(?:[,;.]|$| and ))/g, (_, way: string) =>
      way === 'in' ? ' buy' : ' sell',
    )
    .replaceAll('>=', ' above ')
    .replaceAll('<=', ' below ')
    .replaceAll('>', ' above ')
    .replaceAll('<', ' below ');
  const { pattern, meanings } = dictionaryOf(language);
  const spaced = text.replace(/(?<![a-z])(rsi|ema|sma|wma|hma|adx|cci|mm|mme|gd|ma)(?=\d)/g, '$1 ');
  const apostrophe = spaced
    .replace(/(?<=[a-z])n't(?![a-z])/g, 'nt')
    .replace(/(?<![a-z])(how|what|where|why)'d(?![a-z])/g, '$1 did')
    .replace(/(?<![a-z])(that|what|it|let|how)'s(?![a-z])/g, '$1s')
    .replace(/(?<![a-z])i'm(?![a-z])/g, 'im');
  const canonical = apostrophe
    .replace(pattern, (phrase) => meanings.get(phrase) ?? phrase)
    .replace(/ +/g, ' ')
    // "Without the filter RSI" names no other filter.
    .replace(/\b(without|decline)((?: (?:the|el|le|la|den|die|das))*) filter (?=(?:on |de |del |des )?[a-z])/g, '$1$2 ')
    // "A VWAP over 50 bars" has a period, and no level.
    .replace(OVER_BARS, '$1 period $2')
    // A line that the price crosses is a rule, and no setting of the stop.
    .replace(ATR_LINE, (_, one = '', other = '') => ` atr_trailing_stop${one}${other}`)
    // An article is a number only of what is counted.
    .replace(MONTH_FIRST, (_, month: string, day: string, year: string) =>
      isoDay(year, String(MONTHS.indexOf(month) + 1), day),
    )
    .replace(ARTICLE, (_, next: string) => (next === '' ? 'a' : '1'))
    .trim();
  return (
    sentenceEnds(canonical, language)
      .replace(SCRATCHED, '$3$2')
      // "The same two" are those that were named.
      .replace(/\bsame [23](?![\d.])/g, 'same')
      // A short average is a fast one.
      .replace(/(?<![a-z_])short(?=[ -](?:term|ema|sma|wma|hma|period|window|average))/g, 'fast')
  );
}

const MONTHS = 'january|february|march|april|may|june|july|august|september|october|november|december'.split('|');
/** `march 1st, 2023` */
const MONTH_FIRST = new RegExp(
  `(?<![a-z0-9_])(${MONTHS.join('|')}) (\\d{1,2})(?:st|nd|rd|th)?,? (20[0-3]\\d)(?![\\d-])`,
  'g',
);
const OVER_BARS =
  /(?<![a-z_])((?:[sewh]|de|te|vw|tri)ma|vwap|rsi|adx|atr|cci|mfi|roc|cmo|%r|stochastic|bollinger|keltner|donchian|aroon|volume) above (?:the last |last )?(\d{1,4}) (?:bars|period|day)(?![a-z_]| (?:high|low|sma|ema|wma|hma|vwap|line))/g;
const RELATED = '(?:cross|above|below|bullish|bearish)';
const LINE_NUMBERS = '( ?\\(? ?\\d{1,3} ?[,/] ?\\d{1,2}(?:\\.\\d{1,2})? ?\\)?)?';
/** `the ATR trailing stop (14, 3) flips down`, `close below the ATR trailing stop` */
const ATR_LINE = new RegExp(
  ` atr[ -]trailing(?: stop)?${LINE_NUMBERS}(?= (?:(?:is|turns|price|goes|se|wird) )?${RELATED}\\b)|(?<=\\b${RELATED}(?: the| an| el| del| le| den| dem)?) atr[ -]trailing(?: stop)?${LINE_NUMBERS}`,
  'g',
);
const ARTICLE =
  /(?<![a-z0-9_])a_1(?![a-z0-9_])(?=( (?:hour|minute|day|week|month|year|quarter|half|candidates|bars|%|times)(?![a-z])| ?[.,;!]? ?$|))/g;

/** A number that the same message corrects: `4 % ... make that 3` */
const SCRATCHED =
  /(?<![\d.])(\d{1,9}(?:\.\d{1,9})?)( %)?[ .,;-]{0,5}(?:scratch_that|(?<=% ?(?:\.{2,}|- ) ?)(?:decline|without)[, ]{0,2}(?=\d{1,9}(?:\.\d{1,9})? %)|(?<=%[ .,;-]{1,3})(?:decline|without),(?= ?\d{1,9}(?:\.\d{1,9})? %)) ?(\d{1,9}(?:\.\d{1,9})?)(?: %)?(?![\w]|\.\d| ?[a-z(])/g;

const MONTH_NAME =
  '(?:january|february|march|april|may|june|july|august|september|october|november|december) (?:of |de |del |en )?20';
// Bounded because a message is read to 4,000 characters.
const ENDED = new RegExp(
  `(\\S+ )?(?<![\\d.])(\\d{1,6}(?:\\.\\d{1,4})?) ?\\. ?(?=(de |since |from |between )?${MONTH_NAME})`,
  'g',
);
const DATED = /^(?:since|from|until|to|and|und|between|before|on|am|vom|zum|-)$/;
const COMPARED = /^(?:above|below|cross|bei|at|than|threshold|auf|period)$/;

/** A dot between a number and a month: that of a day, or the end of a sentence. */
const sentenceEnds = (text: string, language: Language): string =>
  text.replace(ENDED, (_, before: string | undefined, digits: string, joint: string | undefined) => {
    const word = (before ?? '').trim();
    const mayBeDay = joint === undefined && /^(?:0?[1-9]|[12]\d|3[01])$/.test(digits);
    const isDate = mayBeDay && (DATED.test(word) || (language === 'de' && !COMPARED.test(word)));
    return `${before ?? ''}${digits}${isDate ? ' ' : ' ; '}`;
  });

import { executionFields, parseInterval } from '../../../engine/index.js';
import type { Change } from '../mind.js';
import { changeBounds, outsideBounds } from './check-change.js';
import type { ConsumedText } from './consumed-text.js';
import { NUMBER } from './number-form.js';
import type { Say } from './sentences/say.js';

/** What may stand between a word and its number: no other number, and nothing that joins. */
const PART = '(?:(?! and | und | et | y | con )[^\\d,.;%|])';

/** `hold 15 bars`, `sell after 48 bars`, `at most 20 bars hold` */
const AT_MOST =
  '(?:at most|max|maximum|maximal|hochstens|como maximo|au plus|after|since|nach|tras|despues de|apres|no longer than)';
/** Bars, or a time that is as many of them. */
const UNIT =
  '(bars|day|hour|week)s?\\b(?! (?:high|low|ema|sma|average|channel|donchian|breakout|period|cross|last|line|rsi|move))';
const HOLD = new RegExp(
  `\\bhold\\b(?: (?:for|it|them|a|trade|position))*(?: ${AT_MOST})? (\\d{1,9}) ${UNIT}` +
    `|\\bsell\\b(?: (?:it|them|a|trade|position))*(?: ${AT_MOST})+ (\\d{1,9}) ${UNIT}` +
    `|\\b${AT_MOST} (\\d{1,9}) ${UNIT} (?:hold|sell)\\b` +
    `|^\\W*(?:(?:and|or|y|o|oder|und|et|ou|but|also)[ ,]*)+${AT_MOST} (\\d{1,9}) ${UNIT}\\W*$`,
);

/** `stop at 2 ATR`, `a 1.5 x ATR stop`, `stop 2 times the ATR`, `an ATR stop` */
const ATR = '(?:the |de |del |der |die |l.|el )?atr(?: ?\\( ?\\d+ ?\\))?';
const TIMES = '(?: ?(?:x|\\*|times|-?fache?n?|fois|veces))?';
const ATR_STOPS = [
  new RegExp(`\\bstop${PART}{0,20}?${NUMBER}${TIMES} ?(?:mal )?${ATR}(?![a-z_])`),
  new RegExp(`${NUMBER}${TIMES} ?-?${ATR}[ -]stop(?![a-z_])`),
  new RegExp(`\\b${ATR}[ -]stop(?: (?:of|at|von|bei|de|a))? ${NUMBER}(?! ?%)`),
  new RegExp(`\\bstop (?:(?:by|with|nach|por|par|mit|con|avec|of|on|at) )+${ATR}(?: (?:x|\\*|times) ?${NUMBER})?`),
  new RegExp(`\\b${ATR}[ -]stop(?![a-z_])`),
];

/** "Risk $400 a trade": money that a trade may lose, as a share of the account. */
const RISKED_MONEY =
  /\brisk\b[^\d,.;%|]{0,20}?(?:[$\u20ac] ?(\d{1,7})|(\d{1,7}) ?(?:[$\u20ac]|usdt?\b|dollars?|euros?|eur\b))(?! of)(?= ?(?:an?|1|per|each|every|pro|je|por|par|on) )(?: ?(?:an?|1|per|each|every|pro|je|por|par|on)(?: (?:each|every|a|cada|chaque))? (?:trade|trades|operacion|transaction|position|posicion)\b)/;

/** "Rather 2 ATR", where the stop is one. */
const ATR_ALONE = new RegExp(
  `^\\W*(?:(?:instead|no|without|decline|agree|please|make|it|a|the|use|and|only|scratch_that)[ ,]*)*${NUMBER}${TIMES} ?${ATR}(?:[ ,]*(?:instead|please|agree))*\\W*$`,
);

/** "Try stop 6": a number of what the stop is known by. */
const BARE_STOP =
  /\bstop(?: (?:of|to|at|is|von|auf|de|a|en))* (\d{1,2}(?:\.\d{1,2})?)(?![\d.]| ?(?:%|atr|x|times|bars|r\b|[$\u20ac]))(?=\W*(?:$|[;,|!?]|instead|please))/;

/** Below it nobody means per cent. */
const LEAST_PERCENT = 0.01;
const bareCost = (word: string): RegExp =>
  new RegExp(
    `\\b${word}s?(?: (?:of|at|is|are|to|=|a|al|de|von|auf|bei|on|only|just|rate|:))* ([0-2]\\.\\d{1,6})(?![\\d.]| ?(?:%|[$\\u20ac]|usd|bars|x|times))(?=\\W*(?:$|[,;|!?]|per|please|instead|and))`,
  );

/** "No stop", which is no word about the one that follows. */
const NO_STOP = /\bwithout (?:any |a |the |my )*stop(?: order)?s?(?! ?(?:of|at|,|:)? ?\d)(?![a-z_-])(?! out)/;

const hoursOf = { hour: 1, day: 24, week: 168 } as const;
const hoursIn = (timeframe: string): number => parseInterval(timeframe) / 3_600_000;

interface Amounts {
  readonly change: Pick<Change, 'max_risk_per_trade' | 'reward_factor' | 'settings' | 'count'>;
  /** Sentences about amounts outside their bounds. */
  readonly refused: readonly string[];
}

const share = (digits: string | undefined): number => Number((Number(digits) / 100).toPrecision(12));

/** Words for a risk, as the share of the account that a trade may lose. */
const riskWords: readonly (readonly [RegExp, number])[] = [
  [
    /\b(conservative|cautious|careful|safe(?:ly)?|low[- ]risk|small risk|protect|vorsichtig|prudent|conservador|konservativ)\b/,
    0.005,
  ],
  [/\b(aggressive|high[- ]risk|degen|yolo|all[- ]in|risky)\b/, 0.02],
];

/** From what a distance is counted. */
const FROM_ENTRY =
  "(?: ?(?:away|below|above|under|from|of|unter|bajo|de|du|del|of) (?:the |my |dem |den |der |la |le |l'|el )?(?:buy|entry|price|einstand)(?![a-z_]))?";

const orders = (words: string) => [
  new RegExp(`\\b${words}${PART}{0,30}?${NUMBER} %${FROM_ENTRY}`),
  new RegExp(`${NUMBER} %${PART}{0,12}?\\b${words}\\b`),
  // "A tighter stop, 2 %"
  new RegExp(
    `(?<!\\bwithout (?:a |the |any )?)\\b${words} ?[,:] ?(?:(?:take|use|say|maybe|like|of|instead|nimm|pon|prends) )*${NUMBER} %(?= ?(?:$|[.,;|!?]|please|instead|agree))`,
  ),
];

function firstOf(text: ConsumedText, patterns: readonly RegExp[]): string | undefined {
  for (const pattern of patterns) {
    const found = text.take(pattern);
    if (found !== null) return found.slice(1).find((each) => each !== undefined);
  }
  return undefined;
}

/** Money, risk, costs and counts of a message, which are taken out of it. */
export function takeAmounts(text: ConsumedText, known: Change['settings'], timeframe: string, say: Say): Amounts {
  const settings: Record<string, number | string | boolean> = {};
  const refused: string[] = [];
  const change: { max_risk_per_trade?: number; reward_factor?: number; count?: number } = {};
  const within = (name: Parameters<typeof outsideBounds>[0], value: number): boolean => {
    const refusal = outsideBounds(name, value, say);
    if (refusal !== null) refused.push(refusal);
    return refusal === null;
  };
  const atrStops = known?.stop_loss_calculation === 'dynamic_atr' ? [...ATR_STOPS, ATR_ALONE] : ATR_STOPS;
  const byAtr = atrStops.map((pattern) => text.take(pattern)).find((found) => found !== null);
  if (byAtr !== undefined) {
    const factor = Number(
      byAtr.slice(1).find((each) => each !== undefined) ?? executionFields.atr_volatility_factor.default,
    );
    if (within('atr_volatility_factor', factor))
      Object.assign(settings, { stop_loss_calculation: 'dynamic_atr', atr_volatility_factor: factor });
    const period = /atr ?\( ?(\d{1,4}) ?\)/.exec(byAtr[0])?.[1];
    if (period !== undefined && Number(period) >= 1) settings.atr_period = Number(period);
  }
  const named = firstOf(text, orders('(?:fixed )?stop'));
  const way = known?.stop_loss_calculation;
  const isNamed = named !== undefined || byAtr !== undefined;
  const bare = isNamed || way === undefined ? undefined : text.take(BARE_STOP)?.[1];
  if (bare !== undefined && way === 'dynamic_atr' && within('atr_volatility_factor', Number(bare)))
    Object.assign(settings, { stop_loss_calculation: way, atr_volatility_factor: Number(bare) });
  const stop = named ?? (way === 'fixed' ? bare : undefined);
  if (stop !== undefined && within('fixed_stop_pct', share(stop))) {
    Object.assign(settings, { stop_loss_calculation: 'fixed', fixed_stop_pct: share(stop) });
  }
  const target = firstOf(text, [
    ...orders('target'),
    // Beside a stop in percent a bare number is one in percent too.
    ...(stop === undefined ? [] : [new RegExp(`\\btarget${PART}{0,20}?${NUMBER}(?!\\.\\d| ?(?:%|times|r\\b|x\\b|:))`)]),
  ]);
  const reward =
    target === undefined
      ? firstOf(text, [
          // "Risk to reward 1:2" is two times the risk.
          new RegExp(`\\b(?:target|reward)${PART}{0,20}?(?<![\\d.])1 ?(?::|to) ?${NUMBER}`),
          new RegExp(
            `\\b(?:target|reward)${PART}{0,20}?${NUMBER} ?(?:times|r\\b|x\\b|:|to(?= ?1(?!\\d|\\.\\d)))(?: ?1(?!\\d))?`,
          ),
          new RegExp(`${NUMBER} times (?:(?:the|el|le|das|my|des|del|du|of|de) )*(?:risk|stop)(?! to \\d)`),
          new RegExp(`${NUMBER} ?(?:: ?1(?!\\d)|r(?![a-z]))`),
          new RegExp(`\\b(?:target|reward)(?: (?:factor|ratio|multiplier))?(?: (?:of|to|is|de|von))? ${NUMBER}(?! ?%)`),
        ])
      : undefined;
  if (reward !== undefined && within('reward_factor', Number(reward))) change.reward_factor = Number(reward);
  if (target !== undefined) {
    const isByAtr = (settings.stop_loss_calculation ?? known?.stop_loss_calculation) === 'dynamic_atr';
    const distance = isByAtr ? Number.NaN : Number(settings.fixed_stop_pct ?? known?.fixed_stop_pct ?? Number.NaN);
    const factor = share(target) / distance;
    if (factor > 0 && factor <= changeBounds.reward_factor.high) change.reward_factor = Number(factor.toPrecision(6));
    else if (within('fixed_target_pct', share(target)))
      Object.assign(settings, { target_calculation: 'fixed', fixed_target_pct: share(target) });
  }
  const isOther = known?.target_calculation !== undefined && settings.target_calculation === undefined;
  // A target of the risk takes the place of another one.
  if (change.reward_factor !== undefined && isOther) settings.target_calculation = 'reward';
  const hasStop = settings.stop_loss_calculation !== undefined;
  if (!hasStop && text.take(NO_STOP) !== null) settings.stop_order = false;
  if (text.take(/\bwithout (?:any |a |the )?target\b/) !== null) settings.target_calculation = 'none';
  const borrow = firstOf(text, orders('borrow'));
  if (borrow !== undefined && within('borrow_rate', share(borrow))) settings.borrow_rate = share(borrow);
  const costs = ['slippage', 'fee'] as const;
  for (const word of costs) {
    const cost = firstOf(text, orders(word));
    if (cost !== undefined && within(`${word}_pct`, share(cost))) settings[`${word}_pct`] = share(cost);
    const number = cost === undefined ? Number(text.take(bareCost(word))?.[1]) : Number.NaN;
    // "Fees are 0.05" is in per cent, "0.001" a fraction.
    const part = number < LEAST_PERCENT ? number : share(String(number));
    if (part > 0 && within(`${word}_pct`, part)) settings[`${word}_pct`] = part;
  }
  if (text.take(/\b(?:without|0) (?:any |the )?(?:fee|slippage) (?:and|or|y|und|et) (?:fee|slippage)\b/) !== null)
    Object.assign(settings, { fee_pct: 0, slippage_pct: 0 });
  for (const word of costs) {
    const none = new RegExp(
      `\\b(?:without|0) (?:any |the )?${word}\\b|\\b${word}(?: (?:of|at|is|to|=|a|de|von|auf))? 0(?!\\d|\\.\\d)`,
    );
    if (text.take(none) !== null) settings[`${word}_pct`] = 0;
  }
  const risk = firstOf(text, [
    ...orders('risk'),
    new RegExp(`${NUMBER} %(?: of (?:my |the )?account)? (?:per|a|each|pro|por|par) (?:trade|operacion)`),
    new RegExp(`${NUMBER} % of (?:my |the )?account`),
    // "Risk 1": traders mean per cent.
    /\brisk(?: (?:of|only|is|to|at))* ((?:\d|10)(?:\.\d{1,4})?)(?![\d.]| ?(?:%|times|to|x|r\b|:|[$\u20ac]|usd|dollars?|euros?|bars|atr))(?=\W*(?:$|[,;|!?]|per|a|each|on|every|please|instead))/,
  ]);
  if (risk !== undefined && within('max_risk_per_trade', share(risk))) change.max_risk_per_trade = share(risk);
  else if (risk === undefined) {
    const word = riskWords.find(([pattern]) => pattern.test(text.rest))?.[1];
    if (word !== undefined) change.max_risk_per_trade = word;
  }
  const lost = text.take(RISKED_MONEY);
  const account = firstOf(text, [
    /\b(?:initial )?account(?:(?! and )[^\d,.;%|$\u20ac]){0,25}?[$\u20ac]? ?(\d{3,9}(?:\.\d{1,2})?)(?!\d|\.\d| ?%)/,
    // A year is no account.
    /\bstart_with (?:about |around |a |an |with |the )*[$\u20ac]? ?(?!20[0-3]\d(?!\d| ?[$\u20ac]))(\d{3,9}(?:\.\d{1,2})?)(?!\d|\.\d| ?(?:%|candidates|bars))/,
    /\b(?:i have|ich habe|tengo|j'ai) (?:(?:about|around|an?|1|nur|only|solo|seulement) )*[$\u20ac]? ?(\d{3,9})(?!\d| ?%)/,
    /[$\u20ac] ?(\d{1,9}(?:\.\d{1,2})?)(?!\d)/,
    /(?<![\d.])(\d{3,9}) ?(?:[$\u20ac]|dollars?|usd|euros?|eur)?(?: of| in| de)?(?: my| the)? (?:account|dollars?|usd|euros?)/,
    /(?<![\d.])(\d{1,9}) ?(?:usdt?|dollars?|euros?|[$\u20ac])/,
    // "Rerun with 50k"; a year is no account.
    /\b(?:with|mit|con|avec)(?: (?:an?|1))? (?!20[0-3]\d(?!\d))(\d{4,9})(?!\d|\.\d| ?(?:%|bars|candidates|day|period|x|times))/,
    /(?:^|[,;|]|\.(?!\d)) {0,3}(?!20[0-3]\d(?!\d))(\d{4,9})(?= ?(?:[,;|]|$))/,
  ]);
  if (account !== undefined && Number(account) > 0) settings.initial_balance = Number(account);
  const balance = settings.initial_balance ?? known?.initial_balance;
  const lostShare = Number(lost?.[1] ?? lost?.[2]) / Number(balance);
  if (lost !== null && lostShare > 0 && within('max_risk_per_trade', lostShare))
    change.max_risk_per_trade = Number(lostShare.toPrecision(6));
  const hold = text.take(HOLD);
  const [length, unit = 'bars'] = hold?.slice(1).filter((each) => each !== undefined) ?? [];
  const bars =
    unit === 'bars'
      ? Number(length)
      : Math.ceil((Number(length) * hoursOf[unit as keyof typeof hoursOf]) / hoursIn(timeframe));
  if (bars >= 1) settings.max_hold_bars = bars;
  const count = text.take(/\b(?:only )?(?<![\d.])(\d{1,9}) (?:[a-z]+ )?candidates\b/);
  if (count !== null) {
    const value = Number(count[1]);
    if (value >= 1 && value <= changeBounds.count.high) change.count = value;
    else refused.push(say('tooManyCandidates', { count: value, most: changeBounds.count.high }));
  }
  return { change: { ...change, ...(Object.keys(settings).length === 0 ? {} : { settings }) }, refused };
}

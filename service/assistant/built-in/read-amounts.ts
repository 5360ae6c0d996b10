import { executionFields } from '../../../engine/index.js';
import type { Change } from '../mind.js';
import type { ConsumedText } from './consumed-text.js';
import { NUMBER } from './number-form.js';

const TRADE_RISK_MAX = 0.1;
const REWARD_MAX = 100;
const COUNT_MAX = 8;
/** What may stand between a word and its number: no other number, and nothing that joins. */
const PART = '(?:(?! and | und | et | y | con )[^\\d,.;%|])';

interface Amounts {
  readonly change: Pick<Change, 'max_risk_per_trade' | 'reward_factor' | 'settings' | 'count'>;
  /** Sentences about amounts outside their bounds. */
  readonly refused: readonly string[];
}

const share = (digits: string | undefined): number => Number((Number(digits) / 100).toPrecision(12));
const percentOf = (value: number): string => `${Number((100 * value).toPrecision(6))} %`;

/** Words for a risk, as the share of the account that a trade may lose. */
const riskWords: readonly (readonly [RegExp, number])[] = [
  [
    /\b(conservative|cautious|careful|safe(?:ly)?|low[- ]risk|small risk|protect|vorsichtig|prudent|conservador|konservativ)\b/,
    0.005,
  ],
  [/\b(aggressive|high[- ]risk|degen|yolo|all[- ]in|risky)\b/, 0.02],
];

const orders = (words: string) => [
  new RegExp(`\\b${words}${PART}{0,30}?${NUMBER} %`),
  new RegExp(`${NUMBER} %${PART}{0,12}?\\b${words}\\b`),
];

function firstOf(text: ConsumedText, patterns: readonly RegExp[]): string | undefined {
  for (const pattern of patterns) {
    const found = text.take(pattern);
    if (found !== null) return found.slice(1).find((each) => each !== undefined);
  }
  return undefined;
}

/** Money, risk, costs and counts of a message, which are taken out of it. */
export function takeAmounts(text: ConsumedText, known: Change['settings']): Amounts {
  const settings: Record<string, number | string> = {};
  const refused: string[] = [];
  const change: { max_risk_per_trade?: number; reward_factor?: number; count?: number } = {};
  const within = (name: string, value: number, low: number, high: number): boolean => {
    if (value > low && value <= high) return true;
    refused.push(
      `I cannot use ${name} of ${percentOf(value)}: it must be above ${percentOf(low)} and at most ${percentOf(high)}.`,
    );
    return false;
  };
  const reward = firstOf(text, [
    new RegExp(`\\b(?:target|reward)${PART}{0,20}?${NUMBER} ?(?:times|r\\b|x\\b|:)`),
    new RegExp(`${NUMBER} times (?:the |el |le |das |my )?(?:risk|stop)`),
    new RegExp(`${NUMBER} ?(?:: ?1(?!\\d)|r(?![a-z]))`),
    new RegExp(`\\b(?:target|reward)(?: factor| ratio)?(?: of| to| is)? ${NUMBER}(?! ?%)`),
  ]);
  if (reward !== undefined && Number(reward) > 0 && Number(reward) <= REWARD_MAX) change.reward_factor = Number(reward);
  const stop = firstOf(text, orders('(?:fixed )?stop'));
  if (stop !== undefined && within('a stop', share(stop), 0, 0.99)) {
    Object.assign(settings, { stop_loss_calculation: 'fixed', fixed_stop_pct: share(stop) });
  }
  const target = firstOf(text, orders('target'));
  if (target !== undefined) {
    const distance = Number(settings.fixed_stop_pct ?? known?.fixed_stop_pct ?? Number.NaN);
    const factor = share(target) / distance;
    if (factor > 0 && factor <= REWARD_MAX) change.reward_factor = Number(factor.toPrecision(6));
    else
      refused.push(
        `I cannot use a target of ${target} % alone: the target lies a multiple of the stop away. Name a stop in percent too, such as "stop 3 %, target 6 %", or a target such as "2 times the risk".`,
      );
  }
  const slippage = firstOf(text, orders('slippage'));
  if (slippage !== undefined && within('slippage', share(slippage), -1e-12, executionFields.slippage_pct.max))
    settings.slippage_pct = share(slippage);
  else if (text.take(/\b(?:without|0) (?:any )?slippage\b/) !== null) settings.slippage_pct = 0;
  const fee = firstOf(text, orders('fee'));
  if (fee !== undefined && within('a fee', share(fee), -1e-12, executionFields.fee_pct.max))
    settings.fee_pct = share(fee);
  else if (text.take(/\b(?:without|0) (?:any |the )?fee(?: (?:and|or|y|und|et) slippage)?\b/) !== null)
    settings.fee_pct = 0;
  const risk = firstOf(text, [
    ...orders('risk'),
    new RegExp(`${NUMBER} %(?: of (?:my |the )?account)? (?:per|a|each|pro|por|par) (?:trade|operacion)`),
    new RegExp(`${NUMBER} % of (?:my |the )?account`),
  ]);
  if (risk !== undefined && within('a risk', share(risk), 0, TRADE_RISK_MAX)) change.max_risk_per_trade = share(risk);
  else if (risk === undefined) {
    const word = riskWords.find(([pattern]) => pattern.test(text.rest))?.[1];
    if (word !== undefined) change.max_risk_per_trade = word;
  }
  const account = firstOf(text, [
    /\b(?:initial )?account(?:(?! and )[^\d,.;%|$\u20ac]){0,25}?[$\u20ac]? ?(\d{3,9}(?:\.\d{1,2})?)(?! ?%)/,
    /[$\u20ac] ?(\d{3,9})/,
    /\b(?:i have|ich habe|tengo|j'ai) (\d{3,9})(?! ?%)/,
    /(\d{3,9}) ?(?:[$\u20ac]|dollars?|usd|euros?|eur)?(?: of| in| de)?(?: my)? (?:account|dollars?|usd|euros?)/,
    /(?<!\d)(\d{3,9}) ?(?:usdt?|dollars?|euros?|[$\u20ac])/,
  ]);
  if (account !== undefined) settings.initial_balance = Number(account);
  const hold = text.take(
    /\b(?:hold|sell)\b(?: (?:for|it|a|trade|position|them))*(?: (?:at most|max|maximum|after|no longer than))+ (\d{1,5}) bars\b/,
  );
  if (hold !== null) settings.max_hold_bars = Number(hold[1]);
  if (text.take(/\bstop\b[^,.;|]{0,20}?atr\b|\batr\b[^,.;|\d]{0,10}\bstop\b/) !== null) {
    refused.push(
      'I cannot set a stop to a multiple of the ATR: without a stop of yours it follows the average true range by the settings atr_volatility_factor and atr_period. Instead, name a stop in percent, such as "a stop of 3 %".',
    );
  }
  const count = text.take(/\b(?:only )?(\d{1,2}) (?:[a-z]+ )?candidates\b/);
  if (count !== null) {
    const value = Number(count[1]);
    if (value >= 1 && value <= COUNT_MAX) change.count = value;
    else refused.push(`I cannot make ${value} candidates: at least 1 and at most ${COUNT_MAX}.`);
  }
  return { change: { ...change, ...(Object.keys(settings).length === 0 ? {} : { settings }) }, refused };
}

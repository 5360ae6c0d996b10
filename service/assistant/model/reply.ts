import { z } from 'zod';
import { indicatorFunctions } from '../../../engine/indicators/index.js';
import { findSignal, signals } from '../../../engine/signals/index.js';
import { findSymbol, type World } from '../plan/apply.js';
import { type Change, changedPlaces, changeSchema, type Plan, planAssets } from '../plan/plan.js';
import { topics } from '../reading/topics.js';
import type { Tested } from '../working.js';

const quote = z.string().max(500);
const candidate = z.int().min(1).max(8);

/** Figures of a run to which a model may point, and their words. */
const figures = {
  total_return: 'return',
  sharpe_ratio: 'Sharpe ratio',
  max_drawdown: 'largest drawdown',
  win_rate: 'win rate',
  trade_count: 'number of trades',
} as const;

const metrics = Object.keys(figures) as readonly Metric[];

const LUCK_P_MAX = 0.05;

/** What may be claimed of a run, each with its check and its words. */
const checks = {
  made_money: { holds: ({ figures }) => figures.total_return > 0, words: 'made money' },
  lost_money: { holds: ({ figures }) => figures.total_return < 0, words: 'lost money' },
  beat_holding: { holds: ({ figures, tested }) => figures.total_return > tested.market_return, words: 'beat holding' },
  trailed_holding: {
    holds: ({ figures, tested }) => figures.total_return < tested.market_return,
    words: 'made less than holding',
  },
  best_of_all: { holds: ({ place, tested }) => tested.best === place, words: 'is the best of these candidates' },
  passes_luck: {
    holds: ({ place, tested }) => tested.best === place && tested.luck_p !== null && tested.luck_p <= LUCK_P_MAX,
    words: 'passes the test against luck',
  },
  fails_luck: {
    holds: ({ place, tested }) => tested.best === place && tested.luck_p !== null && tested.luck_p > LUCK_P_MAX,
    words: 'does not pass the test against luck',
  },
} as const satisfies Readonly<Record<string, { holds: (run: Claimed) => boolean; words: string }>>;

const claims = Object.keys(checks);

/** What a model says of a message. No part of it is sent as it stands: the product prints all words. */
const replySchema = z.strictObject({
  change: changeSchema,
  topics: z
    .array(z.enum(topics as [string, ...string[]]))
    .max(4)
    .describe('questions that the message asks'),
  terms: z.array(quote).max(3).describe('words whose meaning the message asks, in English'),
  figures: z
    .array(z.strictObject({ candidate, metric: z.enum(metrics as [string, ...string[]]) }))
    .max(8)
    .describe('figures of runs that answer the message'),
  claims: z
    .array(z.strictObject({ candidate, claim: z.enum(claims as [string, ...string[]]) }))
    .max(4)
    .describe('what the runs show, where the message asks; each is checked'),
  not_understood: z.array(quote).max(10).describe('parts of the message, word by word, that the change does not say'),
  sentiment: z.enum(['bullish', 'bearish', 'neutral']).nullable(),
  knowledge_level: z.enum(['beginner', 'intermediate', 'expert']).nullable(),
});
export type Reply = z.infer<typeof replySchema>;

export const replyJsonSchema = z.toJSONSchema(replySchema) as Readonly<Record<string, unknown>>;

/** The reply in a text, also between other words. @throws Error that names the problem */
export function parseReply(content: string, world: World): Reply {
  const from = content.indexOf('{');
  let json: unknown;
  try {
    json = JSON.parse(content.slice(Math.max(from, 0), content.lastIndexOf('}') + 1));
  } catch {
    throw new Error('the answer is no JSON object');
  }
  const read = replySchema.safeParse(json);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new Error(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'it does not fit the schema'}`);
  }
  const unknown = unknownName(read.data.change, world);
  if (unknown !== null) throw new Error(`there is no ${unknown}`);
  return read.data;
}

/** The first name of a change that stands in no table; free text does not pass. */
function unknownName({ assets, rules }: Change, { held, names }: World): string | null {
  const symbols = new Set([...held, ...names.keys()]);
  const asset = (assets ?? []).find((each) => !symbols.has(each));
  if (asset !== undefined) return `asset ${asset}`;
  for (const edit of rules) {
    const said = 'rules' in edit ? edit.rules.map(({ signal }) => signal) : [edit.name];
    const wrong = said.find((name) => name !== null && !isKnown(name));
    if (wrong !== undefined) return `signal or indicator ${wrong}`;
    if (edit.edit === 'number' && !/^[a-z][a-z_\d]{0,30}$/.test(edit.param)) return `parameter ${edit.param}`;
  }
  return null;
}

const isKnown = (name: string): boolean =>
  findSignal(name) !== undefined ||
  [...indicatorFunctions.keys()].some((each) => each === name || each.startsWith(`${name}_`));

/** The numbers that a text may mean: `1.000` is 1 and 1000, `0,5` is 0.5, `10k` is 10000. */
function numbersIn(text: string): Map<string, readonly number[]> {
  const found = new Map<string, readonly number[]>();
  for (const [said, digits = '', k] of text.matchAll(/(\d+(?:[.,]\d+)*)(?:\s?(k)(?![a-z]))?/gi)) {
    const readings = [
      digits.replaceAll(',', ''),
      digits.replaceAll('.', '').replace(',', '.'),
      digits.replaceAll(/[.,]/g, ''),
    ].map(Number);
    const numbers = readings.filter(Number.isFinite);
    found.set(said, [...new Set(k === undefined ? numbers : numbers.map((value) => value * 1_000))]);
  }
  return found;
}

/** Every number that a change sets, those within formulas, days and intervals too. */
function numbersSet(change: Change): Set<number> {
  const text = JSON.stringify([...changedPlaces(change)]);
  return new Set([...text.matchAll(/\d+(?:\.\d+)?(?:e-?\d+)?/gi)].map(([digits]) => Number(digits)));
}

const scaled = (value: number): readonly number[] =>
  [value, value / 100, value * 12].map((each) => Number(each.toPrecision(12)));

/** Numbers of a change that the message does not name, as a value, in percent or in years. */
export function unnamedNumbers(change: Change, message: string): number[] {
  const named = new Set([...numbersIn(message).values()].flat().flatMap(scaled));
  const isDay = [...(change.start ?? '').split('-'), ...(change.end ?? '').split('-')].map(Number);
  const years = new Set([...numbersIn(message).values()].flat());
  return [...numbersSet(change)].filter((value) => {
    if (value === 0 || named.has(Number(value.toPrecision(12)))) return false;
    // A month or a day may be said in words; the year of the window must stand there.
    return !(isDay.includes(value) && value <= 31 && isDay.some((year) => years.has(year)));
  });
}

/** Numbers, assets and indicators of a message that the change does not contain, in its own words. */
export function unheardParts(change: Change, message: string, plan: Plan, { held, names }: World): string[] {
  const numbers = numbersSet(change);
  const text = JSON.stringify(change).toLowerCase();
  const has = (value: number) => scaled(value).some((each) => numbers.has(each));
  const missed = [...numbersIn(message)].filter(([, readings]) => !readings.some(has)).map(([said]) => said);
  const words = [...message.matchAll(/[\p{L}_]{2,}/gu)].map(([word]) => word);
  const symbols = new Set([...held, ...names.keys()]);
  const assets = words.filter((word) => {
    const symbol = findSymbol(word, names, held);
    const isAsset = symbols.has(symbol) && (word === word.toUpperCase() || word.length > 4);
    return isAsset && !(change.assets ?? planAssets(plan)).includes(symbol);
  });
  const indicators = words.filter(
    (word) => indicatorWords.has(word.toLowerCase()) && !text.includes(word.toLowerCase()),
  );
  return [...new Set([...missed, ...assets, ...indicators])];
}

/** Words that name an indicator and nothing else. */
const indicatorWords: ReadonlySet<string> = new Set(
  [...indicatorFunctions.keys(), ...[...signals].map(({ name }) => name.split('_')[0] as string)].filter((name) =>
    /^(?:[a-z]{0,3}(?:ma|si|di|fi|ci|cd|dx|tr|vi|bv)|supertrend|bollinger|keltner|ichimoku|stoch|aroon|psar|vwap)$/.test(
      name,
    ),
  ),
);

type Metric = keyof typeof figures;

interface Claimed {
  readonly place: number;
  readonly figures: Tested['candidates'][number]['figures'];
  readonly tested: Tested;
}

/** The claims that hold and the figures that exist, in the words of the product. */
export function claimWords(
  tested: Tested | null,
  said: {
    readonly figures: readonly { readonly candidate: number; readonly metric: string }[];
    readonly claims: readonly { readonly candidate: number; readonly claim: string }[];
  },
): string[] {
  if (tested === null) return [];
  const claimedRun = (candidate: number): Claimed | null => {
    const run = tested.candidates[candidate - 1];
    return run === undefined ? null : { place: candidate - 1, figures: run.figures, tested };
  };
  return [
    ...said.figures.flatMap(({ candidate, metric }) => {
      const run = claimedRun(candidate);
      return run === null ? [] : [`Candidate ${candidate}: ${figureWords(run.figures, metric as Metric)}.`];
    }),
    ...said.claims.flatMap(({ candidate, claim }) => {
      const run = claimedRun(candidate);
      const check = checks[claim as keyof typeof checks];
      return run !== null && check.holds(run) ? [`Candidate ${candidate} ${check.words}.`] : [];
    }),
  ];
}

function figureWords(all: Claimed['figures'], metric: Metric): string {
  const value = all[metric];
  const words =
    value === null
      ? 'undefined'
      : metric === 'trade_count'
        ? String(value)
        : metric === 'sharpe_ratio'
          ? value.toFixed(2)
          : `${(100 * value).toFixed(1)} %`;
  return `${figures[metric]} ${words}`;
}

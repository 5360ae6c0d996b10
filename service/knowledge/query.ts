import { readDescription, rootOf } from '../signals/index.js';

/** A term of a question with its weight. */
export interface AskedTerm {
  readonly term: string;
  readonly weight: number;
}

/** Words of questions that say nothing about what is asked for. */
const silent = new Set(
  (
    'a an the i me my we us our you your it its this that these those is are be was were been being am if while as ' +
    'so to of in on at by and or for with than then there has have had do does did will would should can could ' +
    'just what which who whose how why when where whether please want need like get got make makes made use ' +
    'using used way about from into any some much many too very not no isn t don doesn s many let able'
  ).split(' '),
);

/**
 * Words of accounts, settings, computers and statistics that mean the same anywhere, by the one
 * that stands for them; those of signals are in their thesaurus. Regular forms are found anyway.
 */
const synonyms: Readonly<Record<string, string>> = {
  min: 'minimum minimal smallest least',
  max: 'maximum maximal largest biggest longest',
  mean: 'average avg',
  consecutive: 'streak row successive',
  loss: 'losing loser',
  win: 'winning winner won',
  skewness: 'skew',
  kurtosis: 'kurtotic',
  percent: 'pct percentage',
  double: 'twice doubled doubling',
  volatility: 'jumpy bumpy choppy erratic nervous wild',
  statistic: 'stat statistical',
  calculate: 'calc calculation compute computation',
  year: 'yearly annual annually annualised annualized annum',
  month: 'monthly',
  week: 'weekly',
  day: 'daily',
  hour: 'hourly',
  fee: 'commission brokerage',
  capital: 'bankroll funds',
  asset: 'coin ticker',
  perpetual: 'perp',
  stablecoin: 'usdt usdc tether',
  bankrupt: 'broke ruin ruined',
  optimise: 'optimize optimisation optimization optimiser optimizer optimum optimal tune tuning',
  combination: 'combo combine variant',
  neighbour: 'neighbor neighbourhood neighborhood',
  parameter: 'param',
  delete: 'remove erase wipe purge',
  setting: 'option configuration config configure',
  chart: 'plot graph diagram',
  documentation: 'docs manual handbook',
  licence: 'license',
  computer: 'laptop pc desktop',
  die: 'dead kill killed outage',
  alive: 'liveness heartbeat',
  notify: 'notification notified',
  colleague: 'teammate coworker',
  login: 'signin logon',
  authenticate: 'authentication auth',
  database: 'db',
  postgresql: 'postgres',
  kubernetes: 'k8s',
  environment: 'env',
  repository: 'repo',
  memory: 'ram',
  javascript: 'js',
  typescript: 'ts',
  llm: 'gpt chatgpt openai',
  stop: 'sl',
  target: 'tp',
};
const headOf = new Map(
  Object.entries(synonyms).flatMap(([head, others]) =>
    others.split(' ').map((word) => [rootOf(word), rootOf(head)] as const),
  ),
);

/** The term that is compared for a word; null for a word without meaning of its own. */
export function askedRoot(word: string): string | null {
  if (word === '' || silent.has(word)) return null;
  const root = rootOf(word);
  return headOf.get(root) ?? root;
}

/** What the idioms of traders add counts this much of a word that was said. */
const IDIOM = 0.5;

/** The terms of a question: its own words, and with `expand` what its idioms mean. */
export function readQuestion(words: readonly string[], expand: boolean): readonly AskedTerm[] {
  const terms = new Map<string, number>();
  for (const word of words) {
    const term = askedRoot(word);
    if (term !== null) terms.set(term, 1);
  }
  if (expand) {
    for (const { term, weight, isOwnWord } of readDescription(words.join(' '))) {
      if (!isOwnWord && !terms.has(term)) terms.set(term, weight * IDIOM);
    }
  }
  return [...terms].map(([term, weight]) => ({ term, weight }));
}

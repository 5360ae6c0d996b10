/**
 * What the assistant answers, each with the words that ask for it; before them may stand words such
 * as "what was the". It lists the first ones.
 */
const phrases = {
  return: ['how much did it make', 'return', 'profit', 'money', 'result', 'results', 'did it make', 'did it lose'],
  sharpe: ['sharpe ratio', 'sharpe'],
  drawdown: ['drawdown', 'max drawdown', 'largest drawdown'],
  trades: ['how many trades', 'trades', 'trades did it make', 'trades were there', 'exits'],
  wins: ['win rate', 'wins', 'won', 'average win', 'average loss', 'profit factor'],
  best_trade: ['best trade'],
  worst_trade: ['worst trade'],
  average: ['average trade', 'expectancy'],
  costs: ['costs', 'fees', 'slippage', 'did it cost'],
  duration: ['how long did trades last', 'long did trades last', 'long were trades', 'holding time'],
  exposure: ['time in the market', 'exposure'],
  streak: ['losing streak', 'longest losing streak', 'streak'],
  holding: ['buy and hold', 'holding', 'market', 'market do'],
  luck: ['is it luck', 'luck', 'it luck', 'verdict', 'it good', 'can i trust it', 'can i believe it'],
  why_lost: ['why did it lose', 'why'],
  why_no_trades: ['why are there no trades', 'why no trades', 'why did it not trade'],
  sides: ['longs and shorts', 'sides', 'by side'],
  members: ['which asset did best', 'by asset', 'asset did best', 'assets make'],
  liquidations: ['liquidations', 'liquidated', 'it liquidated'],
  best: ['which candidate is best', 'candidates', 'best candidate', 'which is best'],
  compared: ['is it better than before', 'it better', 'it better than before', 'better than before', 'compare'],
  improve: ['what next', 'next', 'improve it', 'can i improve it', 'how can i improve it'],
  save: ['how do i save it', 'save it', 'do i save it'],
  plan: ['what did you understand', 'plan', 'rules', 'did you understand', 'do you know'],
  runs: ['what have you run', 'what have you run so far', 'have you run', 'have you run so far', 'runs'],
  assets: ['which assets do you have', 'assets', 'coins', 'assets do you have', 'which coins do you have'],
  help: ['what can you do', 'help', 'can you do', 'what can i ask', 'can i ask', 'what can i say', 'can i say'],
} as const;

export type Topic = keyof typeof phrases;

export const topics = Object.keys(phrases) as readonly Topic[];

export const topicPhrases: ReadonlyMap<string, Topic> = new Map(
  topics.flatMap((topic) => phrases[topic].map((word) => [word, topic] as const)),
);

/** A question for each topic, as the assistant lists them. */
export const topicQuestions: ReadonlyMap<Topic, string> = new Map(
  topics.map((topic) => [topic, phrases[topic][0]] as const),
);

import type { MethodName } from '../../contract/index.js';
import { exampleOf } from '../examples.js';
import type { OpenApiParameter } from './openapi-types.js';

const ID = '3f0c1a52-7c1e-4d0e-9a55-2b6d3f1c8e70';

/** What a parameter in a path is, with a value to try. */
const known: Readonly<Record<string, readonly [description: string, example: string]>> = {
  id: ['UUID of the record', ID],
  strategy_id: ['UUID of a strategy, or the id of a deployed one', ID],
  backtest_id: ['UUID of a backtest', ID],
  portfolio_id: ['UUID of a run of a portfolio', ID],
  experiment_id: ['id of an experiment', 'exp_20240101T000000000000Z'],
  session_id: ['UUID of a conversation', ID],
  key_id: ['UUID of an API key', ID],
  user_id: ['UUID of a user', ID],
  asset_id: ['symbol or id of an asset', 'BTC'],
  email: ['an e-mail address', 'someone@example.com'],
  code: ['a promo code', 'SPRING-24'],
  signal_name: ['name or alias of a signal', 'rsi_oversold'],
  base: ['what is traded, or its perpetual', 'BTC'],
  quote: ['what it is priced in', 'USDT'],
  symbol: ['symbol of a token', 'ETH'],
  topic: ['a topic, such as the name of a coin', 'bitcoin'],
  username: ['name of an account', 'satoshi_watch'],
  protocol: ['slug of a protocol', 'aave'],
  chain: ['name of a chain', 'ethereum'],
  slug: ['slug of a document', 'belief'],
  tag: ['a tag of documents', 'signal'],
  term: ['a word of the glossary', 'cagr'],
  anchor: ['an anchor, or the slug of a document', 'sharpe_ratio'],
  name: ['name or alias of a signal, or name of an indicator', 'rsi_oversold'],
};

/** The parameters in the path of a route. */
export function pathParameters(method: MethodName, names: readonly string[]): OpenApiParameter[] {
  const { path = {} } = exampleOf(method);
  return names.map((name) => {
    // A test refuses a parameter that is not described.
    const [description, example = ID] = known[name] ?? [];
    return {
      name,
      in: 'path',
      required: true,
      ...(description === undefined ? {} : { description }),
      schema: { type: 'string', example: path[name] ?? example },
    };
  });
}

/*
 * Tools name the id of a thing as the next tool takes it, such as `backtest_id`. REST names it `id`
 * in the thing itself and in its path.
 */

/** The id of each thing that an answer holds under a key, alone or in a list. */
const heldIds: Readonly<Record<string, string>> = {
  ...{ backtests: 'backtest_id', strategy: 'strategy_id', strategies: 'strategy_id', asset: 'asset_id' },
  ...{ accounts: 'account_id', position: 'position_id', positions: 'position_id', open_positions: 'position_id' },
};

const ID = 'id';

/** The name of the id of the thing that a method is about; `id` where it has no other. */
export function ownIdName(method: string): string {
  if (method.startsWith('Backtests.')) return 'backtest_id';
  const [, thing] = /(Account|Position)$/.exec(method) ?? [];
  return thing === undefined ? ID : `${thing.toLowerCase()}_id`;
}

/** A record whose key `id` has this name. */
export function renamed<T>(record: Readonly<Record<string, T>>, name: string): Readonly<Record<string, T>> {
  if (name === ID || !(ID in record)) return record;
  const { [ID]: id, ...others } = record;
  return name in others ? others : { [name]: id, ...others };
}

type Json = Readonly<Record<string, unknown>>;

/** The answer of a method with the names that its tool gives to ids. */
export function withToolIds(method: string, answer: unknown): unknown {
  if (!isRecord(answer)) return answer;
  const named = Object.entries(renamed(answer, ownIdName(method))).map(([key, value]) => {
    const name = heldIds[key] ?? ID;
    return [key, Array.isArray(value) ? value.map((item) => renamedIn(item, name)) : renamedIn(value, name)];
  });
  return Object.fromEntries(named);
}

const renamedIn = (value: unknown, name: string): unknown => (isRecord(value) ? renamed(value, name) : value);

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

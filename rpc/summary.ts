type Json = Readonly<Record<string, unknown>>;

/**
 * What an answer of a run is where it would be too large: the answer without its lists, and in a
 * warning where they are. Null for an answer without such lists.
 */
export function shortAnswer(answer: object, bytes: number, bytesMax: number): object | null {
  const { backtest_id, portfolio_id, trade_history, facts, warnings } = answer as Json;
  const all = { trade_history, ...lists(facts) };
  const left = Object.entries(all).flatMap(([name, list]) =>
    Array.isArray(list) && list.length > 0 ? [`${name} (${list.length})`] : [],
  );
  if (left.length === 0) return null;
  const runs = facts === undefined ? 'backtests' : 'portfolios';
  const path = `/${runs}/${backtest_id ?? portfolio_id ?? '{id}'}/trades`;
  const said = `lists-left-out: the answer would have ${bytes} bytes, it may have ${bytesMax}, so it leaves out ${left.join(', ')}: GET ${path} and the tool ${runs}_list_trades give trades by page`;
  return {
    ...answer,
    ...(trade_history === undefined ? {} : { trade_history: [] }),
    ...(facts ? { facts: { ...facts, correlation: [], denied_entries: [] } } : {}),
    warnings: [...((warnings as readonly string[] | null) ?? []), said],
  };
}

/** Keys of a portfolio that grow with its members and entries. */
function lists(facts: unknown): Json {
  const { correlation, denied_entries } = (facts ?? {}) as Json;
  return { correlation, denied_entries };
}

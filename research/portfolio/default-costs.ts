import { publishedDefaults } from '../../engine/execution/index.js';

type Json = Readonly<Record<string, unknown>>;

const { fee_pct, slippage_pct } = publishedDefaults;
const costs = Object.entries({ fee_pct, slippage_pct });

const settingsIn = (json: unknown): Json =>
  (json as { readonly execution_config?: Json } | undefined)?.execution_config ?? {};

/** The default costs that a portfolio may state without a change: no strategy of it sets them. */
function sayable({ members }: Json): typeof costs {
  const own = ((members ?? []) as readonly Json[]).map(({ strategy }) => settingsIn(strategy));
  return costs.filter(([name]) => !own.some((settings) => name in settings));
}

/** The same portfolio, stating its costs where they are the defaults. */
export const withDefaultCosts = (portfolio: Json): Json => ({
  ...portfolio,
  execution_config: { ...Object.fromEntries(sayable(portfolio)), ...settingsIn(portfolio) },
});

/** The same portfolio, which does not. */
export function withoutDefaultCosts(portfolio: Json): Json {
  const { execution_config: _, ...rest } = portfolio;
  const said = sayable(portfolio);
  const isSaid = ([name, value]: readonly [string, unknown]) =>
    said.some((cost) => cost[0] === name && cost[1] === value);
  const settings = Object.entries(settingsIn(portfolio)).filter((entry) => !isSaid(entry));
  const isSame = settings.length === Object.keys(settingsIn(portfolio)).length;
  if (isSame) return portfolio;
  return { ...rest, ...(settings.length > 0 && { execution_config: Object.fromEntries(settings) }) };
}

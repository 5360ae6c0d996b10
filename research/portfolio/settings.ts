import { type ExecutionConfig, fullConfig, publishedDefaults } from '../../engine/execution/index.js';
import { guardFields } from '../../engine/portfolio/index.js';

/** Settings of the account, which a member has not. Every other setting of a member acts. */
const accountSettings: ReadonlySet<string> = new Set([
  'initial_balance',
  'min_balance_threshold',
  ...Object.keys(guardFields).map((name) => `guard_${name}`),
]);

/** The settings that an allocation reads. */
const allocationSettings = ['initial_balance', 'fee_pct', 'slippage_pct', 'volatility_window', 'trading_days_per_year'];

type Settings = Readonly<Record<string, unknown>>;

const fullSettings = (config: ExecutionConfig): Settings => ({ ...fullConfig(config) });
const text = (value: unknown): string => (value === null ? 'none' : JSON.stringify(value));

/** Names the settings that a member has otherwise than its account, wherever they were written. */
export function unreadSettings(member: ExecutionConfig, account: ExecutionConfig): string[] {
  const [own, shared] = [fullSettings(member), fullSettings(account)];
  return [...accountSettings]
    .filter((name) => own[name] !== shared[name])
    .map((name) => {
      const acts = `the account has one, ${text(shared[name])}, that of the portfolio`;
      return `${name} ${text(own[name])} of a member is not read: ${acts}`;
    });
}

/** Names the settings that were written for an allocation and that it does not read. */
export function idleInAllocation(written: Settings): string[] {
  const defaults: Settings = publishedDefaults;
  return Object.keys(written)
    .filter((name) => !allocationSettings.includes(name) && written[name] !== (defaults[name] ?? null))
    .map((name) => `${name} is not read: of the settings, weights read ${allocationSettings.join(', ')}`);
}

interface ActingSettings {
  /** Of the account; a setting that all members have alike is theirs. */
  readonly config: ExecutionConfig;
  /** What each member has otherwise. */
  readonly own: readonly Settings[];
}

/**
 * The settings that act in a portfolio.
 * @param members the resolved settings of each; none for an allocation
 */
export function actingSettings(account: ExecutionConfig, members: readonly ExecutionConfig[]): ActingSettings {
  const full = members.map(fullSettings);
  const names = Object.keys(full[0] ?? {}).filter((name) => !accountSettings.has(name));
  const differs = (a: Settings, b: Settings) => (name: string) => text(a[name]) !== text(b[name]);
  const first = full[0] ?? {};
  const isShared = (name: string): boolean => full.every((one) => !differs(one, first)(name));
  const shared = names.filter((name) => isShared(name) && differs(first, fullSettings(account))(name));
  const config = { ...account, ...pick(first, shared) };
  return { config, own: full.map((one) => pick(one, names.filter(differs(one, fullSettings(config))))) };
}

const pick = (settings: Settings, names: readonly string[]): Settings =>
  Object.fromEntries(names.map((name) => [name, settings[name]]));

type ByMember = {
  readonly [name in keyof ExecutionConfig]: ExecutionConfig[name] | ReadonlyMap<string, ExecutionConfig[name]>;
};

/** Each setting that acts: its value, or where members differ the value of each by its name. */
export function settingsByMember({ config, own }: ActingSettings, names: readonly string[]): ByMember {
  const full = fullSettings(config);
  const settings: Record<string, unknown> = { ...config };
  for (const name of own.flatMap((one) => Object.keys(one))) {
    settings[name] = new Map(own.map((one, m) => [names[m], Object.hasOwn(one, name) ? one[name] : full[name]]));
  }
  return settings as ByMember; // the settings of members have the same types
}

/**
 * A name for each member: its asset, with the number of the member where several have the asset.
 */
export function memberNames(members: readonly { readonly asset: string }[]): string[] {
  const isShared = (asset: string) => members.filter((member) => member.asset === asset).length > 1;
  return members.map(({ asset }, m) => (isShared(asset) ? `${asset}.${m}` : asset));
}

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

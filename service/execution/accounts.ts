import { derivedUuid } from '../../data/hashes/index.js';
import { isoTime } from '../../engine/series/index.js';
import { ApiError, notFound, requireFields } from '../api-error.js';
import type { Caller } from '../caller.js';
import { type Json, own, readBoolean, readNumber, readOneOf, readRecord, readText } from './definition.js';
import type { ExecutionServices } from './store.js';
import type { AccountRecord, AccountSettings, Owner } from './stored.js';

const accountTypes = ['paper', 'live'] as const;

/** Settings of an account that its owner leaves out. */
const defaults: AccountSettings & { readonly initial_balance: number } = {
  name: null,
  initial_balance: 10_000,
  min_balance_threshold: 0.1,
  min_trade_amount: 25,
  max_open_positions: 3,
  max_trades_per_day: 10,
  max_risk_per_trade: 0.02,
  risk_params: null,
  active: true,
};

export async function listAccounts(
  caller: Caller,
  request: { readonly account_type?: unknown },
  { store }: ExecutionServices,
): Promise<{ readonly accounts: readonly AccountRecord[]; readonly total: number }> {
  const type = readOneOf(request.account_type, 'account_type', accountTypes) ?? null;
  const accounts = await store.listAccounts(caller.userId, type);
  return { accounts, total: accounts.length };
}

/** @throws MISSING_FIELD without account_type, VALIDATION_ERROR */
export async function createAccount(
  caller: Caller,
  request: Json,
  services: ExecutionServices,
): Promise<AccountRecord> {
  requireFields(request, ['account_type']);
  // biome-ignore lint/style/noNonNullAssertion: refused above where it is missing
  const type = readOneOf(own(request, 'account_type'), 'account_type', accountTypes)!;
  const balance = readNumber(own(request, 'initial_balance'), 'initial_balance', { above: 0 });
  const { initial_balance, ...settings } = { ...defaults, ...readSettings(request) };
  const cash = balance ?? initial_balance;
  return services.store.addAccount(newAccount(services.newId(), caller, type, cash, settings, services.now()));
}

/** @throws RESOURCE_NOT_FOUND */
export async function getAccount(caller: Caller, id: string, { store }: ExecutionServices): Promise<AccountRecord> {
  const account = await store.findAccount(caller.userId, id);
  if (account === null) throw notFound('account', id);
  return account;
}

/** Changes the settings that the request names. Balances result from trading and cannot be set. */
export async function updateAccount(
  caller: Caller,
  id: string,
  request: Json,
  { store, now }: ExecutionServices,
): Promise<AccountRecord> {
  const settings = readSettings(request);
  const account = await store.changeAccount(caller.userId, id, settings, isoTime(now()));
  if (account === null) throw notFound('account', id);
  return account;
}

function readSettings(request: Json): Partial<AccountSettings> {
  const amount = (key: string) => readNumber(own(request, key), key, { min: 0 });
  const count = (key: string) => readNumber(own(request, key), key, { min: 0, isInteger: true });
  const params = own(request, 'risk_params');
  const settings = {
    name: readText(own(request, 'name'), 'name'),
    min_balance_threshold: amount('min_balance_threshold'),
    min_trade_amount: amount('min_trade_amount'),
    max_open_positions: count('max_open_positions'),
    max_trades_per_day: count('max_trades_per_day'),
    max_risk_per_trade: readNumber(own(request, 'max_risk_per_trade'), 'max_risk_per_trade', { above: 0, max: 1 }),
    risk_params: params === undefined ? undefined : plainParams(readRecord(params, 'risk_params')),
    active: readBoolean(own(request, 'active'), 'active'),
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

const PARAMS_BYTES_MAX = 10_000;

/** Free-form, but small and valid JSON. */
function plainParams(params: Json): Json {
  let text: string;
  try {
    text = JSON.stringify(params);
  } catch {
    throw new ApiError('VALIDATION_ERROR', 'risk_params must be plain JSON', { field: 'risk_params' });
  }
  if (text.length <= PARAMS_BYTES_MAX) return JSON.parse(text);
  throw new ApiError(
    'VALIDATION_ERROR',
    `risk_params must be at most ${PARAMS_BYTES_MAX} characters of JSON, was ${text.length}`,
    { field: 'risk_params' },
  );
}

function newAccount(
  id: string,
  { userId, orgId }: Owner,
  type: 'paper' | 'live',
  cash: number,
  settings: AccountSettings,
  nowMs: number,
): AccountRecord {
  const time = isoTime(nowMs);
  return {
    id,
    org_id: orgId,
    user_id: userId,
    account_type: type,
    cash_balance: cash,
    account_value: cash,
    ...settings,
    created_at: time,
    updated_at: time,
  };
}

/** Each user has one account that strategies trade on. */
export const strategyAccountId = (userId: string): string => derivedUuid('strategy-account', userId);

/** Its balances are the sums over all strategies, so it starts at zero. */
export function strategyAccount(owner: Owner, nowMs: number): AccountRecord {
  const { initial_balance, ...settings } = defaults;
  return newAccount(strategyAccountId(owner.userId), owner, 'paper', 0, { ...settings, name: 'Strategies' }, nowMs);
}

import { z } from 'zod';
import { apiTimeframes, MEMBERS_MAX } from '../../../engine/index.js';
import { ApiError } from '../../api-error.js';
import { changeBounds, refusalsOf } from '../built-in/check-change.js';
import { styles } from '../built-in/propose.js';
import { sayIn } from '../built-in/sentences/say.js';
import type { Change } from '../mind.js';
import { placeOf, readRule, ruleForm } from './definition.js';
import { windowForm } from './model-tools.js';
import type { Session } from './session.js';

const RULES_MAX = 4;
const EXCLUDED_MAX = 8;
const share = (name: 'max_risk_per_trade' | 'fixed_stop_pct' | 'fee_pct' | 'slippage_pct') =>
  z.number().min(0).max(changeBounds[name].high).optional();

/** The change of a message, as a model writes it. Shares are fractions: 0.01 is 1 %. */
export const changeForm = {
  asset: z.string().max(32).optional(),
  portfolio: z
    .array(z.string().max(32))
    .max(MEMBERS_MAX)
    .optional()
    .describe('assets that share one account, split equally; none for one asset'),
  timeframe: z.enum(apiTimeframes).optional(),
  style: z.enum(styles).optional(),
  ...windowForm,
  max_risk_per_trade: share('max_risk_per_trade').describe('share of the account that a trade may lose: 0.01 is 1 %'),
  reward_factor: z
    .number()
    .positive()
    .max(changeBounds.reward_factor.high)
    .optional()
    .describe('target as a multiple of the risk'),
  fixed_stop_pct: share('fixed_stop_pct').describe('distance of a fixed stop from the entry'),
  fee_pct: share('fee_pct').describe('fee of a fill'),
  slippage_pct: share('slippage_pct').describe('slippage of a fill'),
  leverage: z
    .number()
    .min(1)
    .max(changeBounds.leverage.high)
    .optional()
    .describe('notional over margin; 1 borrows nothing'),
  initial_balance: z.number().positive().optional().describe('cash at the start'),
  max_hold_bars: z.int().min(1).optional().describe('longest holding time'),
  entry: z.array(ruleForm).min(1).max(RULES_MAX).optional().describe('rules that the person named: a trigger first'),
  exit: z.array(ruleForm).min(1).max(RULES_MAX).optional(),
  count: z.int().min(1).max(changeBounds.count.high).optional().describe('candidates that the person asked for'),
  excluded: z
    .array(z.string().regex(/^[a-z0-9]{2,20}$/, 'must be the first part of the names of signals, such as macd'))
    .max(EXCLUDED_MAX)
    .optional()
    .describe('signals that are not wanted'),
  leaves_choice: z.boolean().optional().describe('whether the person leaves the open points to you'),
};

const changeObject = z.strictObject(changeForm);
type ChangeForm = z.infer<typeof changeObject>;

/** Numbers that only the person may set, and how a message may write them. */
const ofThePerson = [
  ...(['max_risk_per_trade', 'fixed_stop_pct', 'fee_pct', 'slippage_pct'] as const),
  ...(['reward_factor', 'leverage', 'initial_balance', 'max_hold_bars', 'count'] as const),
];

/**
 * The typed change of a form, after the checks that the grammar's own changes pass.
 * @throws ApiError VALIDATION_ERROR that says what cannot be met, or which number nobody wrote
 */
export async function changeOf(form: ChangeForm, session: Session): Promise<Change> {
  const { assets, evidence, tools, working } = session;
  for (const name of ofThePerson) {
    const value = form[name];
    const written = value === undefined ? [] : [value, Number((100 * value).toPrecision(12)), value / 1_000];
    if (value !== undefined && value !== 0 && !written.some((each) => evidence.said.has(each)))
      throw refused(`${name} ${value} stands in no message of the person: note what was written`);
  }
  const { start_date, end_date, lookback_months, entry, exit, leaves_choice, ...rest } = form;
  const { fixed_stop_pct, fee_pct, slippage_pct, leverage, initial_balance, max_hold_bars, ...facts } = rest;
  const stop = fixed_stop_pct === undefined ? {} : { stop_loss_calculation: 'fixed', fixed_stop_pct };
  const settings = withoutMissing({ ...stop, fee_pct, slippage_pct, leverage, initial_balance, max_hold_bars });
  const dates = withoutMissing({ start_date, end_date, lookback_months });
  const place = placeOf({}, { ...working, collected: { ...working.collected, ...withoutMissing(facts) } });
  const columns =
    entry === undefined && exit === undefined ? [] : await tools.columnsBeside(place.asset, place.timeframe);
  const rules = (forms: NonNullable<typeof entry>, isEntry: boolean) =>
    forms.map((rule, i) => readRule(rule, i === 0 ? 'TRIGGER' : 'FILTER', { ...place, columns, isEntry }));
  const change: Change = {
    ...withoutMissing(facts),
    ...(Object.keys(dates).length === 0 ? {} : { dates }),
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
    ...(entry === undefined ? {} : { entry: rules(entry, true) }),
    ...(exit === undefined ? {} : { exit: rules(exit, false) }),
    ...(leaves_choice === true ? { leaves_choice } : {}),
  };
  const [refusal] = refusalsOf(change, assets, sayIn('en'));
  if (refusal !== undefined) throw refused(refusal);
  return change;
}

const refused = (message: string) => new ApiError('VALIDATION_ERROR', message);

type Present<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

const withoutMissing = <T extends object>(values: T): Present<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Present<T>;

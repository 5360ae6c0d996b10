import { z } from 'zod';
import {
  apiTimeframes,
  findSignal,
  nearestName,
  type Signal,
  type SignalType,
  signals,
} from '../../../engine/index.js';
import { clip } from '../../../engine/text.js';
import { ApiError } from '../../api-error.js';
import { settingsOf, stampOf } from '../built-in/assemble.js';
import { changeBounds } from '../built-in/check-change.js';
import { ruleOf, usual } from '../built-in/propose.js';
import type { PlannedRule, StrategyConfig } from '../candidate.js';
import type { Session } from './session.js';

const NAME_LENGTH_MAX = 80;
const TEXT_LENGTH_MAX = 200;
const LIST_MAX = 32;

const paramValue = z.union([
  z.number(),
  z.boolean(),
  z.string().max(TEXT_LENGTH_MAX),
  z.array(z.number()).max(LIST_MAX),
]);

/** A rule as a model writes it: parameters that it leaves out get their usual values. */
export const ruleForm = z.strictObject({
  name: z.string().max(NAME_LENGTH_MAX).describe('name of a signal of the registry'),
  params: z.record(z.string().max(NAME_LENGTH_MAX), paramValue).optional(),
});

/** Rules by role, so that every definition composes. */
export const definitionForm = z.strictObject({
  entry: z.strictObject({ trigger: ruleForm, filter: ruleForm }),
  exit: z.strictObject({ trigger: ruleForm, filter: ruleForm.optional() }).optional(),
  reward_factor: z
    .number()
    .positive()
    .max(changeBounds.reward_factor.high)
    .optional()
    .describe('target as a multiple of the risk'),
  asset: z.string().max(NAME_LENGTH_MAX).optional().describe('default: the asset of the conversation'),
  timeframe: z.enum(apiTimeframes).optional().describe('default: the timeframe of the conversation'),
});

export type RuleForm = z.infer<typeof ruleForm>;
export type DefinitionForm = z.infer<typeof definitionForm>;

interface Place {
  readonly asset: string;
  readonly timeframe: string;
}

const refused = (message: string) => new ApiError('VALIDATION_ERROR', message);

export const placeOf = ({ asset, timeframe }: Partial<Place>, { collected }: Session['working']): Place => ({
  asset: asset ?? collected.asset ?? usual.asset,
  timeframe: timeframe ?? collected.timeframe ?? usual.timeframe,
});

/**
 * A definition as the service stores it, made of registry signals alone.
 * @throws ApiError VALIDATION_ERROR that says what is wrong with it
 */
export async function configOf(form: DefinitionForm, session: Session, number = 1): Promise<StrategyConfig> {
  const { working, tools, clock, assets } = session;
  if (working.collected.sides !== 'long')
    throw refused('the person sells short too, and definitions of your own are long only: make candidates without any');
  if (working.collected.portfolio.length > 0)
    throw refused(
      'the person splits one account over several assets, and definitions of your own trade one: make candidates without any',
    );
  const settings = settingsOf(working.collected);
  const place = placeOf({ ...(form.asset === undefined ? {} : { asset: form.asset }), ...timeframeOf(form) }, working);
  if (!assets.includes(place.asset)) throw refused(`there are no bars of ${place.asset}; assets: ${assets.join(', ')}`);
  const noBars = await tools.whyNoBars(place.asset, place.timeframe);
  if (noBars !== null) throw refused(noBars);
  const columns = await tools.columnsBeside(place.asset, place.timeframe);
  const rule = (written: RuleForm, type: SignalType, isEntry: boolean): PlannedRule =>
    readRule(written, type, { ...place, columns, isEntry });
  const { entry, exit } = form;
  const config: StrategyConfig = {
    name: `${place.asset} ${rule(entry.trigger, 'TRIGGER', true).name} ${number} ${stampOf(clock())}`,
    asset: place.asset,
    entry: [rule(entry.trigger, 'TRIGGER', true), rule(entry.filter, 'FILTER', true)],
    exit: [
      ...(exit === undefined ? [] : [rule(exit.trigger, 'TRIGGER', false)]),
      ...(exit?.filter === undefined ? [] : [rule(exit.filter, 'FILTER', false)]),
    ],
    ...settings,
    reward_factor: form.reward_factor ?? settings.reward_factor,
  };
  tools.check(config);
  return config;
}

const timeframeOf = ({ timeframe }: DefinitionForm): { timeframe?: string } =>
  timeframe === undefined ? {} : { timeframe };

interface RulePlace extends Place {
  readonly columns: readonly string[];
  readonly isEntry: boolean;
}

/** @throws ApiError VALIDATION_ERROR for a signal that the registry or the asset does not have */
export function readRule(
  { name, params }: RuleForm,
  type: SignalType,
  { asset, timeframe, columns, isEntry }: RulePlace,
): PlannedRule {
  const signal = findSignal(name);
  if (signal === undefined || signal.category === 'user') {
    const near = nearestName(name, registered);
    throw refused(
      `the registry has no signal ${clip(name, NAME_LENGTH_MAX)}${near === null ? '' : `; ${near} is near`}`,
    );
  }
  if (signal.type !== type) throw refused(`${signal.name} is a ${signal.type}, not a ${type}`);
  if (isEntry && signal.bias === 'bearish') throw refused(`${signal.name} is bearish, and entries are long`);
  const lacking = missingColumns(signal, columns);
  if (lacking.length > 0)
    throw refused(`${signal.name} reads ${lacking.join(', ')}, which ${asset} does not have here`);
  const rule = ruleOf(signal, type, timeframe);
  return { ...rule, params: { ...rule.params, ...params } };
}

const registered = signals.filter(({ category }) => category !== 'user').map(({ name }) => name);
const prices: ReadonlySet<string> = new Set(['Open', 'High', 'Low', 'Close', 'Volume']);

export const missingColumns = ({ requires }: Signal, columns: readonly string[]): string[] =>
  requires.filter((column) => !prices.has(column) && !columns.includes(column));

import {
  type ExecutionFieldName,
  type ExecutionSettings,
  executionFieldNames,
  executionFields,
  publishedDefaults,
} from '../../engine/execution/index.js';

type Fields = typeof executionFields;
type SectionName = NonNullable<Fields[ExecutionFieldName]['section']>;
type InSection<Section extends SectionName> = {
  [Name in ExecutionFieldName]: Fields[Name]['section'] extends Section ? Name : never;
}[ExecutionFieldName];

/** The section of backtest costs, which strategies do not save. */
const COSTS = 'backtest_defaults';

type Sections = { readonly [Section in SectionName]: Pick<ExecutionSettings, InSection<Section>> };

interface TradingDefaults extends Sections {
  readonly description: string;
  /** Empty: signals keep their defaults in their own records. */
  readonly signal_defaults: Readonly<Record<string, never>>;
}

/** What a strategy created without an execution config gets. */
type ExecutionDefaults = Pick<ExecutionSettings, InSection<Exclude<SectionName, typeof COSTS>>>;

const pick = <Name extends ExecutionFieldName>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, structuredClone(publishedDefaults[name])])) as Pick<
    ExecutionSettings,
    Name
  >;

const namesIn = (isWanted: (section: string | null) => boolean): ExecutionFieldName[] =>
  executionFieldNames.filter((name) => isWanted(executionFields[name].section));

/**
 * Trading defaults by section, in the order of the table. Each call returns a new object that the
 * caller may change.
 */
export function tradingDefaults(): TradingDefaults {
  const names = new Set(executionFieldNames.flatMap((name) => executionFields[name].section ?? []));
  const sections = [...names].map((name) => [name, pick(namesIn((section) => section === name))]);
  return {
    description: 'Defaults that apply to strategies and backtests where a request does not say otherwise.',
    signal_defaults: {},
    ...(Object.fromEntries(sections) as Sections),
  };
}

/** The sections of execution settings as one flat object, without backtest costs. */
export const executionDefaults = (): ExecutionDefaults =>
  pick(namesIn((section) => section !== null && section !== COSTS));

/**
 * The same with backtest costs and the sizing version: everything that the batch engine fills in.
 */
export const batchDefaults = () => ({
  ...executionDefaults(),
  ...pick([...namesIn((section) => section === COSTS), 'position_size_calc']),
});

import { canonicalJson } from '../canonical-json.js';
import { type ExecutionConfig, executionFields } from '../execution/index.js';
import { parseInterval } from '../series/intervals.js';
import { groupsOf, type RuleChoice, type RunRules, type SideRules } from './choice-space.js';
import type { SweepDataset, SweepDefinition } from './definition.js';
import type { SignalSpace } from './signal-space.js';

/** One configuration on one dataset. */
export interface SweepRun extends RunRules {
  readonly dataset: SweepDataset;
  /** Its index in the list of the sweep. */
  readonly datasetIndex: number;
  /** Index of the execution variant. */
  readonly variant: number;
}

/** A rule in the form of a strategy, with all parameters and its keys in canonical order. */
interface SweepRule {
  readonly asset?: string;
  readonly name: string;
  readonly negate?: true;
  readonly params: Readonly<Record<string, unknown>>;
  readonly signal_type: 'TRIGGER' | 'FILTER';
  readonly timeframe: string;
  readonly within_bars?: number;
}

export function ruleOf({ space, combination }: RuleChoice, dataset: SweepDataset): SweepRule {
  const { signal, role, timeframe, reach } = space.definition;
  const { asset, negate, withinBars } = reach ?? {};
  return {
    ...(asset !== undefined && { asset }),
    name: signal.name,
    ...(negate && { negate }),
    params: space.params(combination), // by name
    signal_type: role,
    timeframe: timeframe ?? dataset.timeframe,
    ...(withinBars !== undefined && { within_bars: withinBars }),
  };
}

/** SHA-256 in hex digits; the caller supplies it. */
export type Sha256 = (text: string) => string;

const HASH_DIGITS = 16;

/**
 * The identity of a run: the first 16 hex digits of the hash of the canonical JSON of its data,
 * window, rules and resolved configuration. Texts that many runs share are cached between calls.
 */
export class RunIdentity {
  readonly #execs = new Map<string, string>();
  /** Parts of the latest run, which the next run mostly shares. */
  #dataset: SweepDataset | null = null;
  #entry: readonly RuleChoice[] | null = null;
  #exit: readonly RuleChoice[] | null = null;
  #head = '';
  #entryText = '';
  #exitText = '';
  #short: SideRules | undefined;
  #shortText = '';
  #tail = '';

  constructor(
    private readonly definition: SweepDefinition,
    private readonly sha256: Sha256,
  ) {}

  configHash(run: SweepRun): string {
    return this.sha256(this.canonical(run)).slice(0, HASH_DIGITS);
  }

  /** Writes the keys in canonical order, so that only their values need sorting. */
  canonical(run: SweepRun): string {
    const { dataset, entry, exit, short, variant } = run;
    if (dataset !== this.#dataset) this.#takeDataset(dataset);
    if (entry !== this.#entry) this.#entryText = identityText(entry, dataset);
    if (exit !== this.#exit) this.#exitText = identityText(exit, dataset);
    this.#entry = entry;
    this.#exit = exit;
    if (short !== this.#short) this.#shortText = short === undefined ? '' : shortText(short, dataset);
    this.#short = short;
    const exec = this.#exec(variant, dataset.timeframe);
    const series = dataset.further === undefined ? '' : this.#series(run);
    const rules = `"entry":${this.#entryText},"exec":${exec},"exit":${this.#exitText},${series}${this.#shortText}`;
    return `${this.#head},${rules}${this.#tail}`;
  }

  #takeDataset(dataset: SweepDataset): void {
    const { asset, hash, added, start_date, end_date, timeframe } = dataset;
    const text = JSON.stringify;
    this.#dataset = dataset;
    const columns = Object.keys(added).length === 0 ? '' : `"columns":${canonicalJson(added)},`;
    this.#head = `{"asset":${text(asset)},${columns}"data":${text(hash)},"end":${text(end_date)}`;
    this.#tail = `"start":${text(start_date)},"timeframe":${text(timeframe)}}`;
    this.#entry = null; // rules without a timeframe take the dataset's
    this.#exit = null;
    this.#short = undefined;
    this.#shortText = '';
  }

  /** The further series that a run reads, in the order of its rules. */
  #series({ dataset: { further = [], timeframe }, entry, exit, short, variant }: SweepRun): string {
    const rules = [...entry, ...exit, ...(short?.entry ?? []), ...(short?.exit ?? [])];
    const assets = new Set(rules.flatMap(({ space }) => space.definition.reach?.asset ?? []));
    const { detail_interval: detail } = this.definition.variants.config(variant, parseInterval(timeframe));
    const hashes = [
      ...[...assets].flatMap((name) => further.filter((one) => one.use === 'rules' && one.name === name)),
      ...further.filter((one) => one.use === 'detail' && one.name === detail),
    ].map(({ content_hash }) => content_hash);
    return hashes.length === 0 ? '' : `"series":${JSON.stringify(hashes)},`;
  }

  #exec(variant: number, timeframe: string): string {
    const key = `${variant} ${timeframe}`;
    let text = this.#execs.get(key);
    if (text === undefined) {
      text = execText(this.definition.variants.config(variant, parseInterval(timeframe)));
      if (this.#execs.size >= EXEC_TEXTS_MAX) this.#execs.clear();
      this.#execs.set(key, text);
    }
    return text;
  }
}

const shortText = ({ entry, exit }: SideRules, dataset: SweepDataset): string =>
  `"short_entry":${identityText(entry, dataset)},"short_exit":${identityText(exit, dataset)},`;

const EXEC_TEXTS_MAX = 4_096;

const unhashedDefaults = Object.entries(executionFields).filter(([, field]) => 'isUnhashedDefault' in field);

const execText = (config: ExecutionConfig): string => canonicalJson(hashedConfig(config));

function hashedConfig(config: ExecutionConfig): object {
  const hashed: Record<string, unknown> = { ...config };
  for (const [name, field] of unhashedDefaults) if (hashed[name] === field.default) delete hashed[name];
  return hashed;
}

/** A run that is not part of a sweep. */
interface SingleRun {
  readonly dataset: Pick<SweepDataset, 'asset' | 'timeframe' | 'hash' | 'start_date' | 'end_date' | 'added'>;
  readonly entry: readonly SweepRule[];
  readonly exit: readonly SweepRule[];
  readonly config: ExecutionConfig;
  /** Rules of the short side and further data, by name; empty where a run has neither. */
  readonly further?: Readonly<Record<string, unknown>>;
}

/** The identity that `RunIdentity` gives to the same run in a sweep. */
export function singleIdentity({ dataset, entry, exit, config, further }: SingleRun, sha256: Sha256): string {
  const { asset, timeframe, hash, start_date, end_date, added } = dataset;
  const columns = Object.keys(added).length === 0 ? {} : { columns: added };
  const window = { start: start_date, end: end_date };
  const rules = { entry, exit, exec: hashedConfig(config) };
  return sha256(canonicalJson({ asset, timeframe, data: hash, ...columns, ...window, ...rules, ...further })).slice(
    0,
    HASH_DIGITS,
  );
}

/** By space, combination and timeframe; neighbouring runs share most of their rules. */
const ruleTexts = new WeakMap<SignalSpace, Map<string, string>>();
const RULE_TEXTS_MAX = 4_096;

/**
 * The rules of a side as a definition holds them, in canonical JSON: keys and parameters are in
 * order.
 */
export function rulesText(choices: readonly RuleChoice[], dataset: SweepDataset): string {
  const list = (rules: readonly RuleChoice[]) => `[${rules.map((choice) => ruleText(choice, dataset)).join(',')}]`;
  if (choices.length === 0 || choices[0].group === undefined) return list(choices);
  return `{"any":[${groupsOf(choices).map(list).join(',')}]}`;
}

/** The rules of a side in the identity of a run: one list, each rule with its group and the asset as held. */
const identityText = (choices: readonly RuleChoice[], dataset: SweepDataset): string =>
  `[${choices.map((choice) => ruleIdentity(choice, dataset)).join(',')}]`;

function ruleIdentity(choice: RuleChoice, dataset: SweepDataset): string {
  const { space, group } = choice;
  const name = space.definition.reach?.asset;
  if (group === undefined && name === undefined) return ruleText(choice, dataset);
  // A series that is not among the further ones is the dataset's own.
  const held = dataset.further?.find((one) => one.use === 'rules' && one.name === name)?.asset ?? dataset.asset;
  const rule = ruleOf(choice, dataset);
  return canonicalJson({ ...rule, ...(name !== undefined && { asset: held }), ...(group !== undefined && { group }) });
}

function ruleText(choice: RuleChoice, dataset: SweepDataset): string {
  if (choice.isDrawn) return JSON.stringify(ruleOf(choice, dataset));
  let texts = ruleTexts.get(choice.space);
  if (texts === undefined || texts.size >= RULE_TEXTS_MAX) {
    texts = new Map();
    ruleTexts.set(choice.space, texts);
  }
  const key = `${choice.combination} ${dataset.timeframe}`;
  let text = texts.get(key);
  if (text === undefined) {
    text = JSON.stringify(ruleOf(choice, dataset));
    texts.set(key, text);
  }
  return text;
}

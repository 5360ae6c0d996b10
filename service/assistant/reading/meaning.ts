import type * as ohm from 'ohm-js';
import { indicatorFunctions } from '../../../engine/indicators/index.js';
import { signals } from '../../../engine/signals/index.js';
import { assetsChange, findSymbol, Refused, type World } from '../plan/apply.js';
import { type Change, makeChange, type Plan, type Role, type SaidRule, type Style } from '../plan/plan.js';
import { dayAfter, fraction, NotRead, readAmount, readDays, readInterval, readSetting } from './said-values.js';
import { type Topic, topicPhrases } from './topics.js';

/** What a clause says to the assistant itself. */
export type Talk = 'agree' | 'run' | 'decline' | 'drop' | 'first' | 'second' | 'undo' | 'over' | 'greet';

/** What the clauses of a message are read with, one after the other. */
export interface Context {
  readonly plan: Plan;
  readonly world: World;
  /** The first value of the rule before, which "it" means; null where there is none. */
  subject: string | null;
  /** The first value of the rule that is being read. */
  first: string | null;
}

type Said = { readonly change: Change } | { readonly talk: Talk };

/** A question: after something of a run, after a word, or after a word that a run has a figure for. */
export interface Asked {
  readonly topic: Topic | null;
  readonly term: string | null;
}

export type Part =
  | { readonly said: readonly Said[] }
  | { readonly from: number; readonly to: number; readonly reason: string | null };

/** Other words for functions of formulas. */
export const otherNames: Readonly<Record<string, string>> = {
  stochastic: 'stoch',
  macd: 'macd_line',
};

const rolesOfVerbs: Readonly<Record<string, Role>> = {
  ...{
    buy: 'entry',
    'go long': 'entry',
    long: 'entry',
    entry: 'entry',
    sell: 'exit',
    exit: 'exit',
    'exit longs': 'exit',
  },
  ...{ short: 'short_entry', 'sell short': 'short_entry', 'go short': 'short_entry' },
  ...{ cover: 'short_exit', 'buy back': 'short_exit', 'exit shorts': 'short_exit' },
};

const stylesOfWords: Readonly<Record<string, Style>> = {
  ...{ 'trend following': 'trend', trend: 'trend', 'mean reversion': 'mean_reversion', dips: 'mean_reversion' },
  ...{ breakouts: 'breakout', breakout: 'breakout', momentum: 'momentum', flows: 'flows' },
};

const signs: Readonly<Record<string, string>> = {
  ...{ above: '>', over: '>', below: '<', under: '<', 'at least': '>=', 'at most': '<=' },
};

const formulaRule = (when: string): SaidRule => ({ signal: 'formula', params: [{ name: 'when', value: when }] });

/** Parameters of functions by the names that signals have for them. */
const ofSignals: Readonly<Record<string, string>> = {
  ...{ n: 'window', fast: 'window_fast', slow: 'window_slow', signal: 'window_sign' },
  ...{ deviations: 'window_dev', factor: 'volume_factor', warmup: 'warmup_bars' },
};

/** A call of an indicator with its numbers; unsaid numbers are the defaults of its signals. */
function called(name: string, args: readonly string[]): string {
  const key = otherNames[name] ?? name;
  const known = indicatorFunctions.get(key);
  if (known === undefined) throw new NotRead(`${name} is no function of formulas`);
  const hasColumn = known.takesColumn && args.length > 0 && !/^-?[\d.]+$/.test(args[0] as string);
  const numbers = hasColumn ? args.slice(1) : args;
  if (numbers.length > known.params.length)
    throw new NotRead(`${key} takes ${known.params.map((param) => param.name).join(', ') || 'no numbers'}`);
  const said = known.params.map((param, i) => {
    const value = numbers[i] ?? commonDefault(known.indicator, param.name);
    if (value === null)
      throw new NotRead(
        `${key} needs ${param.name}, as in ${key}(${known.params.map((each) => each.name).join(', ')})`,
      );
    return String(value);
  });
  const column = known.takesColumn ? [hasColumn ? (args[0] as string) : 'close'] : [];
  return `${key}(${[...column, ...said].join(', ')})`;
}

/** The value that all signals of an indicator have by default for a parameter; null where they differ. */
function commonDefault(indicator: string | null, param: string): number | null {
  if (indicator === null) return null;
  const values = [...signals]
    .filter(({ indicators: [first] }) => first === indicator)
    .flatMap((signal) => {
      const spec = signal.params[ofSignals[param] ?? param] ?? signal.params[param];
      return spec !== undefined && 'default' in spec && typeof spec.default === 'number' ? [spec.default] : [];
    });
  return new Set(values).size === 1 ? (values[0] as number) : null;
}

/** Words after a name in brackets: `window 10`. */
type SaidParam = SaidRule['params'][number];

const textOf = (node: ohm.Node): string => node.sourceString.trim();

const nameOf = (node: ohm.Node): string => textOf(node).replaceAll(' ', '_');

/** The nodes of a list in brackets; none where there is no bracket. */
const listed = (list: ohm.Node): ohm.Node[] => list.children.flatMap((each) => each.asIteration().children);

const isThere = (optional: ohm.Node): boolean => optional.children.length > 0;

/** The formula of a rule that stands in an "or". */
function alternativeFormula({ signal, params: [when] }: SaidRule): string {
  if (signal !== 'formula') throw new NotRead(`"or" joins comparisons, and ${signal} is a signal`);
  return `(${String(when?.value)})`;
}

/** What the parts of the grammar mean. */
export function defineSemantics(barline: ohm.Grammar): ohm.Semantics {
  const semantics = barline.createSemantics();
  const change = (parts: Partial<Change>): Said => ({ change: makeChange(parts) });
  const set = (values: Readonly<Record<string, string | number | boolean>>): Said =>
    change({ settings: Object.entries(values).map(([name, value]) => ({ name, value })) });
  const amount = (node: ohm.Node): number => readAmount(textOf(node));

  /** The text of a value in the language of formulas. */
  semantics.addOperation<string>('formula(context)', {
    Factor_before: (_the, count, _unit, name) => called(nameOf(name), [textOf(count)]),
    Factor_called(_the, name, _open, args, _close, shift) {
      const { context } = this.args;
      return (
        called(
          nameOf(name),
          args.asIteration().children.map((each) => each.formula(context)),
        ) + textOf(shift)
      );
    },
    Factor_after: (_the, name, count) => called(nameOf(name), [textOf(count)]),
    Factor_bare: (_the, name, shift) => called(nameOf(name), []) + textOf(shift),
    Factor_column: (_the, column, shift) => (textOf(column) === 'price' ? 'close' : textOf(column)) + textOf(shift),
    Factor_it(_it) {
      const { subject }: Context = this.args.context;
      if (subject === null) throw new NotRead('"it" is the first value of the rule before, and there is none');
      return subject;
    },
    Factor_number: (number) => String(amount(number)),
    Factor_group(_open, value, _close) {
      return `(${value.formula(this.args.context)})`;
    },
    _terminal() {
      return this.sourceString;
    },
    _nonterminal(...children) {
      return children.map((child) => child.formula(this.args.context)).join(' ');
    },
  });

  /** The first value of a condition, which "it" of the next rule means. */
  const compared = (context: Context, left: ohm.Node, right: ohm.Node, words: (a: string, b: string) => string) => {
    const [first, second]: [string, string] = [left.formula(context), right.formula(context)];
    context.first ??= first;
    return formulaRule(words(first, second));
  };

  semantics.addOperation<SaidRule>('rule(context)', {
    Condition_compared(left, _is, sign, right) {
      const word = signs[textOf(sign)] ?? textOf(sign);
      return compared(this.args.context, left, right, (a, b) => `${a} ${word} ${b}`);
    },
    Condition_over(left, _cross, _over, right) {
      return compared(this.args.context, left, right, (a, b) => `crosses_above(${a}, ${b})`);
    },
    Condition_under(left, _cross, _under, right) {
      return compared(this.args.context, left, right, (a, b) => `crosses_below(${a}, ${b})`);
    },
    Condition_call(name, _open, left, _comma, right, _close) {
      return compared(this.args.context, left, right, (a, b) => `${textOf(name)}(${a}, ${b})`);
    },
    Condition_signal: (name, _open, list, _close) => ({
      signal: nameOf(name),
      params: listed(list).map((each) => each.param()),
    }),
    formula(_open, _text, _close) {
      return formulaRule(this.sourceString.slice(1, -1).trim());
    },
  });

  semantics.addOperation<SaidParam>('param', {
    Param: (name, _is, value) => ({ name: nameOf(name), value: readSetting(textOf(value)) }),
  });

  const saidRules = (context: Context, nodes: readonly ohm.Node[]): SaidRule[] => {
    context.first = null;
    const all: SaidRule[] = nodes.map((each) => each.rule(context));
    context.subject = context.first;
    return all;
  };
  semantics.addOperation<SaidRule[]>('rules(context)', {
    Rules_all(first, _and, others) {
      return saidRules(this.args.context, [first, ...others.children]);
    },
    Rules_any(first, _or, others) {
      const all = saidRules(this.args.context, [first, ...others.children]);
      return [formulaRule(all.map(alternativeFormula).join(' or '))];
    },
    Rules_one(first) {
      return saidRules(this.args.context, [first]);
    },
  });

  const stop = (values: Readonly<Record<string, string | number | boolean>>): Said =>
    set({ stop_order: true, ...values });
  const fixedStop = (share: number): Said => stop({ stop_loss_calculation: 'fixed', fixed_stop_pct: share });
  const atrStop = (factor: number) => ({ stop_loss_calculation: 'dynamic_atr', atr_volatility_factor: factor });

  /** A distance as a share of the price, or in multiples of the ATR. */
  semantics.addOperation<{ readonly share: number } | { readonly atr: number }>('distance', {
    Distance: (node) => node.distance(),
    Distance_share: (percent) => ({ share: percent.share() }),
    Distance_atr: (factor, _atr) => ({ atr: amount(factor) }),
  });
  semantics.addOperation<number>('share', {
    Percent: (number, unit) => fraction(amount(number) / (textOf(unit) === 'bps' ? 100 : 1)),
  });

  semantics.addOperation<Said | readonly Said[]>('said(context)', {
    Trade(verb, place, _when, rules) {
      const { plan }: Context = this.args.context;
      const role = rolesOfVerbs[textOf(verb)] as Role;
      if (textOf(verb) === 'exit' && plan.short_entry.length > 0)
        throw new NotRead('with both sides, say "sell when" or "cover when"');
      const said = change({ rules: [{ edit: 'set', role, rules: rules.rules(this.args.context) }] });
      const placed: Said[] = place.children.map((each) => each.said(this.args.context));
      return [...placed, said];
    },
    Only(verb, _when, rules) {
      const { plan }: Context = this.args.context;
      const isShort = /short/.test(textOf(verb));
      if (!/buy|short/.test(textOf(verb)) && plan.short_entry.length > 0)
        throw new NotRead('with both sides, say "only buy when" or "only short when"');
      return change({
        rules: [{ edit: 'add', role: isShort ? 'short_entry' : 'entry', rules: rules.rules(this.args.context) }],
      });
    },
    Level_trail(_the, _trail, _of, distance, _from, _gain, from) {
      const moved = distance.distance();
      const start: number | null = isThere(from) ? (from.children[0] as ohm.Node).share() : null;
      if ('share' in moved)
        return change({ trail: { share: moved.share, from: start }, settings: [{ name: 'stop_order', value: true }] });
      if (start !== null) throw new NotRead('a gain in percent goes with a trailing stop in percent');
      return stop({ ...atrStop(moved.atr), trailing_distance: 1 });
    },
    Level_stop(_the, _stop, _loss, _of, distance) {
      const far = distance.distance();
      return 'share' in far ? fixedStop(far.share) : stop(atrStop(far.atr));
    },
    Level_target: (_the, _target, _of, far) => far.said(null),
    Target_share: (percent) => set({ target_calculation: 'fixed', fixed_target_pct: percent.share() }),
    Target_risk: (factor, _r) => set({ target_calculation: 'reward', reward_factor: amount(factor) }),
    Level_none: (_no, what) =>
      textOf(what).startsWith('stop') ? set({ stop_order: false }) : set({ target_calculation: 'none' }),
    Level_entry(way, _entry, _of, distance, _for, count, _bars) {
      const far = distance.distance();
      const offset = 'share' in far ? { entry_offset_pct: far.share } : { entry_offset_atr: far.atr };
      const valid = isThere(count) ? { entry_valid_bars: amount(count.children[0] as ohm.Node) } : {};
      return set({ entry_order: textOf(way), ...(offset as Record<string, number>), ...valid });
    },
    Level_even: (_words, factor, _r) => set({ break_even_at: amount(factor) }),
    Amount_risk: (_risk, percent, _trade) => set({ max_risk_per_trade: percent.share() }),
    Amount_fee: (_fee, _of, percent, _fill) => set({ fee_pct: percent.share() }),
    Amount_slippage: (_slippage, _of, percent, _fill) => set({ slippage_pct: percent.share() }),
    Amount_free(_no, what) {
      const cost = textOf(what);
      return set({
        ...(cost === 'slippage' ? {} : { fee_pct: 0 }),
        ...(cost.startsWith('fee') ? {} : { slippage_pct: 0 }),
      });
    },
    Amount_account: (_account, _of, _sign, money) => set({ initial_balance: amount(money) }),
    Amount_size: (_size, percent, _of) => set({ position_sizing: 'equity_share', trade_share: percent.share() }),
    Amount_leverage: (_leverage, factor, _x) => set({ leverage: amount(factor) }),
    Amount_times: (factor, _x, _leverage) => set({ leverage: amount(factor) }),
    Amount_hold: (_words, count, _bars) => set({ max_hold_bars: amount(count) }),
    Window_both: (_from, first, _to, last) =>
      change({ start: readDays(textOf(first))[0], end: readDays(textOf(last))[1] }),
    Window_between: (_between, first, _and, last) =>
      change({ start: readDays(textOf(first))[0], end: readDays(textOf(last))[1] }),
    Window_since: (_since, day) => change({ start: readDays(textOf(day))[0] }),
    Window_after: (_after, day) => change({ start: dayAfter(readDays(textOf(day))[1], 1) }),
    Window_until: (_until, day) => change({ end: readDays(textOf(day))[1] }),
    Window_before: (_before, day) => change({ end: dayAfter(readDays(textOf(day))[0], -1) }),
    Window_in: (_only, day) => change({ start: readDays(textOf(day))[0], end: readDays(textOf(day))[1] }),
    Window_last: (_over, _the, _last, count, unit) =>
      change({ last_months: amount(count) * (textOf(unit).startsWith('year') ? 12 : 1) }),
    Window_all: (_all, _bars) => change({ start: 'none', end: 'none' }),
    Style(_verb, asset, _the, words) {
      const placed = isThere(asset) ? { assets: [textOf(asset)] } : {};
      return change({ style: stylesOfWords[textOf(words)] ?? null, ...placed });
    },
    Count: (count, _candidates) => change({ candidates: textOf(count) === 'one' ? 1 : amount(count) }),
    Edit_remove: (_remove, _the, name, _kind) => change({ rules: [{ edit: 'remove', name: nameOf(name) }] }),
    Edit_less(_remove, asset) {
      const { plan, world }: Context = this.args.context;
      return { change: assetsChange(plan, 'remove', findSymbol(textOf(asset), world.names, world.held)) };
    },
    Edit_more(_add, asset) {
      const { plan, world }: Context = this.args.context;
      return { change: assetsChange(plan, 'add', findSymbol(textOf(asset), world.names, world.held)) };
    },
    Edit_role(_no, side, kind) {
      const isSide = textOf(kind) === 'side';
      const all: Readonly<Record<string, readonly Role[]>> = isSide
        ? { short: ['short_entry', 'short_exit'] }
        : { sell: ['exit'], cover: ['short_exit'], short: ['short_entry', 'short_exit'] };
      const own = all[textOf(side)];
      if (own === undefined) throw new NotRead('only the short side can be left out by its name');
      return change({ rules: own.map((role) => ({ edit: 'set', role, rules: [] })) });
    },
    Edit_number: (_the, name, param, _to, value) =>
      change({
        rules: [
          {
            edit: 'number',
            name: isThere(name) ? nameOf(name) : null,
            param: nameOf(param),
            value: amount(value),
          },
        ],
      }),
    Setting: (name, _to, value) => set({ [nameOf(name)]: readSetting(textOf(value)) }),
    Place_assets(_prefix, assets, _on, bars) {
      const interval = isThere(bars) ? readInterval(textOf(bars.children[0] as ohm.Node)) : null;
      return change({ assets: assets.assets(), interval });
    },
    Place_bars: (_on, _the, bars) => change({ interval: readInterval(textOf(bars)) }),
    Talk_agree: (_words) => ({ talk: 'agree' }),
    Talk_run: (_words) => ({ talk: 'run' }),
    Talk_decline: (_words) => ({ talk: 'decline' }),
    Talk_drop: (_words) => ({ talk: 'drop' }),
    Talk_choose: (_words, _rest) => change({ leaves_choice: true }),
    Talk_pick: (_the, place, _one) => ({ talk: textOf(place) as 'first' | 'second' }),
    Talk_undo: (_undo, _that) => ({ talk: 'undo' }),
    Talk_over: (_words) => ({ talk: 'over' }),
    Talk_greet: (_words) => ({ talk: 'greet' }),
    _nonterminal(...children) {
      return (children[0] as ohm.Node).said(this.args.context);
    },
  });

  semantics.addOperation<readonly string[]>('assets', {
    Assets: (first, _and, others) => [first, ...others.children].map(textOf),
  });

  semantics.addOperation<Part>('part(context)', {
    Part_read(_joint, first, _joints, others, _next) {
      const { startIdx: from, endIdx: to } = this.source;
      try {
        return { said: [first, ...others.children].flatMap((each) => each.said(this.args.context)) };
      } catch (error) {
        if (error instanceof NotRead || error instanceof Refused)
          return { from, to, reason: error.message.replace(/\.$/, '') };
        throw error;
      }
    },
    Part_unread(_text) {
      return { from: this.source.startIdx, to: this.source.endIdx, reason: null };
    },
  });

  semantics.addOperation<Part[]>('parts(context)', {
    Sentence(first, _comma, others, _end) {
      return [first, ...others.children].map((each) => each.part(this.args.context));
    },
  });

  semantics.addOperation<Asked>('asked', {
    Asked_topic: (lead, topic, _mark, _end) => ({
      topic: topicPhrases.get(textOf(topic)) as Topic,
      term: /\bwhat (?:is|are)\b/.test(textOf(lead)) ? textOf(topic) : null,
    }),
    Asked_term: (_what, _is, _a, term, _mean, _mark, _end) => ({ topic: null, term: textOf(term) }),
  });
  return semantics;
}

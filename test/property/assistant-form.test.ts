import assert from 'node:assert/strict';
import test from 'node:test';
import { applied, type World } from '../../service/assistant/plan/apply.js';
import { type Change, emptyPlan, joined, makeChange, noChange, type Plan } from '../../service/assistant/plan/plan.js';
import { planWords } from '../../service/assistant/plan/say.js';
import { readMessage } from '../../service/assistant/reading/read.js';
import { seededRandom } from '../support/random.js';
import { runs } from '../support/scale.js';

/** Messages made of the documented form, whose meaning is known, and the same with words around them. */

const world: World = { held: ['BTC', 'ETH', 'SOL'], names: new Map([['BTC', ['bitcoin']]]) };

type Random = () => number;

interface Clause {
  readonly text: string;
  readonly change: Change;
}

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const whole = (random: Random, low: number, high: number): number => low + Math.floor(random() * (high - low + 1));

interface Said {
  readonly text: string;
  readonly formula: string;
}

const levels: Readonly<Record<string, readonly [call: (n: number) => string, low: number, high: number]>> = {
  rsi: [(n) => `rsi(close, ${n})`, 10, 90],
  adx: [(n) => `adx(${n})`, 10, 60],
  mfi: [(n) => `mfi(${n})`, 10, 90],
  cci: [(n) => `cci(${n}, 0.015)`, -200, 200],
};

function condition(random: Random): Said {
  if (random() < 0.3) {
    const [kind, n] = [pick(random, ['sma', 'ema']), whole(random, 5, 200)];
    const said = pick(random, [`the ${n} ${kind}`, `${kind}(${n})`, `${kind} ${n}`]);
    const call = `${kind}(close, ${n})`;
    return pick<Said>(random, [
      { text: `close is above ${said}`, formula: `close > ${call}` },
      { text: `close crosses below ${said}`, formula: `crosses_below(close, ${call})` },
    ]);
  }
  const [name, [callOf, low, high]] = pick(random, Object.entries(levels));
  const [n, level] = [whole(random, 2, 50), whole(random, low, high)];
  const said = pick(random, [`${name}(${n})`, `${n} bar ${name}`, `${name.toUpperCase()}(${n})`]);
  const call = callOf(n);
  return pick<Said>(random, [
    { text: `${said} is below ${level}`, formula: `${call} < ${level}` },
    { text: `${said} > ${level}`, formula: `${call} > ${level}` },
    { text: `${said} crosses above ${level}`, formula: `crosses_above(${call}, ${level})` },
  ]);
}

const rule = ({ formula }: Said) => ({ signal: 'formula', params: [{ name: 'when', value: formula }] });

function rules(random: Random): Clause {
  const all = Array.from({ length: whole(random, 1, 3) }, () => condition(random));
  const [verb, role] = pick(random, [
    ['buy when', 'entry'],
    ['sell when', 'exit'],
    ['short when', 'short_entry'],
    ['cover when', 'short_exit'],
  ] as const);
  const text = `${verb} ${all.map((each) => each.text).join(' and ')}`;
  return { text, change: makeChange({ rules: [{ edit: 'set', role, rules: all.map(rule) }] }) };
}

const set = (text: string, settings: Readonly<Record<string, number | string | boolean>>): Clause => ({
  text,
  change: makeChange({ settings: Object.entries(settings).map(([name, value]) => ({ name, value })) }),
});

const share = (percent: number): number => Number((percent / 100).toPrecision(12));

const clauses: readonly ((random: Random) => Clause)[] = [
  rules,
  rules,
  (random) => {
    const percent = whole(random, 1, 20);
    const values = { stop_order: true, stop_loss_calculation: 'fixed', fixed_stop_pct: share(percent) };
    return set(pick(random, [`stop ${percent} %`, `a stop of ${percent}%`]), values);
  },
  (random) => {
    const factor = whole(random, 1, 5);
    return set(`target ${factor} R`, { target_calculation: 'reward', reward_factor: factor });
  },
  (random) => {
    const percent = whole(random, 1, 5);
    return set(`risk ${percent} %`, { max_risk_per_trade: share(percent) });
  },
  (random) => {
    const percent = whole(random, 1, 9) / 10;
    return set(`fee ${percent} %`, { fee_pct: share(percent) });
  },
  (random) => {
    const amount = whole(random, 1, 90) * 1_000;
    return set(`account ${pick(random, [String(amount), `${amount / 1_000},000`])}`, { initial_balance: amount });
  },
  (random) => {
    const [first, last] = [whole(random, 2018, 2020), whole(random, 2021, 2023)];
    const change = makeChange({ start: `${first}-01-01`, end: `${last}-12-31` });
    return { text: `from ${first} to ${last}`, change };
  },
  (random) => {
    const [asset, interval] = [pick(random, world.held), pick(random, ['1h', '4h', '1d'] as const)];
    const words = interval === '1d' ? 'daily' : interval;
    return { text: `on ${asset} ${words}`, change: makeChange({ assets: [asset.toLowerCase()], interval }) };
  },
];

/** A message of clauses that do not say one thing twice, and what it means. */
function messageOf(random: Random): { readonly parts: readonly Clause[]; readonly change: Change } {
  const parts: Clause[] = [];
  let change = noChange;
  for (let i = whole(random, 1, 4); i > 0; i--) {
    const clause = pick(random, clauses)(random);
    const both = joined(change, clause.change);
    if ('twice' in both) continue;
    parts.push(clause);
    change = both;
  }
  return { parts, change };
}

/** What people put around a clause that turns it, doubts it or is unknown. */
const wraps: readonly ((text: string, random: Random) => string)[] = [
  (text) => `not ${text}`,
  (text) => `don't ${text}`,
  (text) => `never ${text}`,
  (text) => `maybe ${text}`,
  (text) => `I would rather not ${text}`,
  (text) => `${text} or something like that`,
  (text) => `${text} or 7`,
  (text) => `half of ${text}`,
  (text) => `${text} instead`,
  (text) => `${text} unless it rains`,
  (text) => `less than before, ${text}`,
  (text) => `either ${text}`,
  (text) => `${text}, just not now`,
  (text) => `before that ${text}`,
  (text) => `${text} (roughly)`,
  (text) => `${text}?`,
  (text, random) => {
    const words = text.split(' ');
    const place = whole(random, 0, words.length);
    const word = pick(random, ['frobnicate', 'quux', 'vielleicht', '17', '-', '$', 'the']);
    return [...words.slice(0, place), word, ...words.slice(place)].join(' ');
  },
];

const COUNT = runs(200, 10_000);
const meant = (change: Change): Plan => applied(emptyPlan, change, world);
const same = (one: Plan, other: Plan): boolean => planWords(one) === planWords(other);

test('a message in the documented form means what it says, in sentences and in clauses', () => {
  const random = seededRandom(1);
  for (let i = 0; i < COUNT; i++) {
    const { parts, change } = messageOf(random);
    const message = parts.map(({ text }) => text).join(pick(random, [', ', '. ', '\n', ', and ']));
    const reading = readMessage(message, emptyPlan, world);
    assert.deepEqual(reading.unread, [], message);
    const plan = meant(reading.change);
    assert.equal(planWords(plan), planWords(meant(change)), message);
    // What is said back says the same again.
    const again = readMessage(planWords(plan), emptyPlan, world);
    assert.ok(same(meant(again.change), plan), planWords(plan));
  }
});

test('a clause that is turned, doubted or unknown does not act, and is quoted', () => {
  const random = seededRandom(2);
  let acted = 0;
  for (let i = 0; i < COUNT; i++) {
    const { parts, change } = messageOf(random);
    const turned = whole(random, 0, parts.length - 1);
    const wrap = pick(random, wraps);
    const texts = parts.map(({ text }, place) => (place === turned ? wrap(text, random) : text));
    const message = texts.join(pick(random, [', ', '. ', '\n']));
    const reading = readMessage(message, emptyPlan, world);
    const plan = meant(reading.change);
    if (same(plan, meant(change)) && reading.unread.length === 0) {
      acted += 1; // an added "the" changes nothing
      continue;
    }
    assert.ok(reading.unread.length > 0, `nothing of "${message}" is quoted: ${planWords(plan)}`);
    const others = parts.filter((_, place) => place !== turned).map((clause) => clause.change);
    const possible = others.reduce((sum, each) => {
      const both = joined(sum, each);
      return 'twice' in both ? sum : both;
    }, noChange);
    const whatElse = joined(reading.change, possible);
    assert.ok(!('twice' in whatElse), `"${message}" became ${planWords(plan)}`);
    assert.ok(same(meant(whatElse), meant(possible)), `"${message}" became ${planWords(plan)}`);
  }
  assert.ok(acted < COUNT / 20, `${acted} of ${COUNT} were read all the same`);
});

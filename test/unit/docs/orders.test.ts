import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { simulateRequests } from '../../../research/index.js';
import { root } from '../../support/tree.js';

const page = readFileSync(join(root, 'docs/orders.md'), 'utf8');

/** The worked examples of docs/orders.md, as `barline simulate` reads them. */
const orderExamples = JSON.parse(readFileSync(join(root, 'examples/orders.json'), 'utf8')) as Example[];

const HEAD = [
  '| example | bars from 1 on: open high low close | beside the settings above | what happens | profit | account |',
  '|---|---|---|---|--:|--:|',
];

/** At most six decimals, as the page prints them. */
const digits = (value: number): string => String(Number(value.toFixed(6)));

/** Settings that all examples share. */
const shared = new Set([
  'slippage_pct',
  'fee_pct',
  'stop_loss_calculation',
  'position_sizing',
  'min_balance_threshold',
]);

const rules = [...new Set(orderExamples.map(({ id }) => id.slice(0, id.indexOf(':'))))];

for (const rule of rules) {
  test(`the worked examples of the rule ${rule} come out as the page prints them`, () => {
    const table = orderTable(rule);
    assert.ok(page.includes(table), `docs/orders.md must have\n${table}`);
  });
}

test('every table of worked examples on the page is one that is run', () => {
  assert.equal(page.match(/^\| example \|/gm)?.length, rules.length);
});

interface Example {
  readonly id: string;
  readonly bars: readonly (readonly number[])[];
  readonly masks: Readonly<Record<string, readonly number[]>>;
  readonly columns?: { readonly FundingSettled: readonly number[] };
  readonly config: Readonly<Record<string, unknown>>;
}

interface Answer {
  readonly trades: readonly {
    readonly side: string;
    readonly entry_price: number;
    readonly exit_price: number;
    readonly entry_bar_index: number;
    readonly exit_bar_index: number;
    readonly exit_reason: string;
    readonly profit_loss: number;
  }[];
  readonly denied_entries: readonly (readonly [bar: number, reason: string])[];
  readonly equity: readonly number[];
}

function settings({ config, columns }: Example): string {
  const own = Object.entries(config).filter(([name, value]) => {
    if (name === 'fixed_stop_pct') return value !== 0.05;
    if (name === 'trade_share') return value !== 0.5;
    return !shared.has(name);
  });
  const texts = own.map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const settled = columns?.FundingSettled.flatMap((rate, bar) =>
    rate === 0 ? [] : [`rate ${rate} settles in bar ${bar}`],
  );
  return [...texts, ...(settled ?? [])].join(', ');
}

/** The table of one rule: every example, run. */
function orderTable(rule: string): string {
  const examples = orderExamples.filter(({ id }) => id.startsWith(`${rule}: `));
  const answers = new Map(simulateRequests(examples) as Iterable<[string, Answer]>);
  const rows = examples.flatMap((example) => {
    const answer = answers.get(example.id);
    if (answer === undefined) throw new Error(`${example.id} has no answer`);
    const bars = example.bars.slice(1).map(([, ...prices]) => prices.slice(0, 4).join(' '));
    const head = `| ${example.id.slice(rule.length + 2)} | ${bars.join(' · ')} | ${settings(example)} |`;
    const account = digits(answer.equity.at(-1) ?? Number.NaN);
    const happened: (readonly [text: string, profit: string])[] = [
      ...answer.trades.map((trade) => {
        const isShort = trade.side === 'exit_short';
        const [enters, leaves] = isShort ? ['short', 'back'] : ['bought', 'sold'];
        const fills = `${enters} ${digits(trade.entry_price)} in bar ${trade.entry_bar_index}, ${leaves} ${digits(trade.exit_price)} in bar ${trade.exit_bar_index}`;
        return [`${fills}: ${trade.exit_reason}`, digits(trade.profit_loss)] as const;
      }),
      ...answer.denied_entries.map(([bar, reason]) => [`denied in bar ${bar}: ${reason}`, ''] as const),
    ];
    if (happened.length === 0) happened.push(['no trade', '']);
    return happened.map(([text, profit], i) =>
      i === 0 ? `${head} ${text} | ${profit} | ${account} |` : `| | | | ${text} | ${profit} | |`,
    );
  });
  return [...HEAD, ...rows].join('\n');
}

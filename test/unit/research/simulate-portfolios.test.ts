import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { simulateRequests } from '../../../research/index.js';
import { assertSame, assertTrades } from '../../support/golden-runs.js';
import { goldenPath } from '../../support/tree.js';

/** Portfolios and allocations in requests as `barline simulate` takes them. */

type Values = Readonly<Record<string, unknown>>;

interface Case {
  readonly id: string;
  readonly title?: string;
  readonly portfolio?: Values;
  readonly allocation?: Values;
  readonly expected: {
    readonly trades: readonly (readonly unknown[])[];
    readonly denied_entries: readonly unknown[];
    readonly equity: readonly number[];
    readonly metrics: Values;
    readonly portfolio: Values;
    readonly order_expired?: number;
  };
}

const packed = readFileSync(goldenPath('execution/portfolios.json.br'));
const { trade_keys, cases } = JSON.parse(brotliDecompressSync(packed).toString()) as {
  readonly trade_keys: readonly string[];
  readonly cases: readonly Case[];
};

function run(request: object) {
  const answer = [...simulateRequests([request]).values()][0];
  assert.ok(answer !== undefined && 'portfolio' in answer);
  return answer;
}

for (const { title, expected, ...request } of cases) {
  test(`the reference agrees on ${title ?? `the random world ${request.id}`}`, () => {
    const answer = run(request);
    assertTrades(answer.trades, expected.trades, trade_keys);
    assert.deepEqual(answer.denied_entries, expected.denied_entries);
    assertSame(answer.equity, expected.equity, 'equity');
    assertSame(answer.metrics, expected.metrics, 'metrics');
    assertSame(answer.portfolio, expected.portfolio, 'portfolio');
    if (expected.order_expired !== undefined) assert.equal(answer.order_expired, expected.order_expired);
  });
}

const HOUR = 3600;
const bars = (...closes: readonly number[]) =>
  closes.map((close, i) => [HOUR * (1000 + i), close, close + 1, close - 1, close, 5]);
const member = { asset: 'A', bars: bars(50, 51, 52), masks: { entry: [0] } };
const portfolio = { interval: '1h', members: [member] };
const asset = { asset: 'A', bars: bars(50, 51, 52) };
const allocation = { interval: '1h', every: '1d', assets: [asset] };

type Refusal = readonly [what: string, changes: Values, message: RegExp];

const ofPortfolios: readonly Refusal[] = [
  ['no member', { members: [] }, /members must be a list of 1\.\.200 entries, was 0/],
  [
    'a weight of 0',
    { members: [{ ...member, weight: 0 }] },
    /members\[0\]\.weight must be a number > 0 and <= 10, was 0/,
  ],
  [
    'a guard in a member',
    { members: [{ ...member, config: { guard_group_stop: 0.1 } }] },
    /members\[0\]\.config\.guard_group_stop is a guard of the whole account/,
  ],
  [
    'a rank for other bars',
    { members: [{ ...member, rank: [1] }] },
    /members\[0\]\.rank must be an array of 3 numbers or nulls/,
  ],
];
const ofAllocations: readonly Refusal[] = [
  ['fixed without weights', { weighting: 'fixed' }, /weights is required with weighting fixed/],
  [
    'a negative weight',
    { weighting: 'fixed', weights: [-1] },
    /weights\[0\] must be a number >= 0 \(weights are long only: .* short_entry\), was -1/,
  ],
];
const refusals: readonly Refusal[] = [
  ...ofPortfolios.map(
    ([what, changes, message]): Refusal => [what, { portfolio: { ...portfolio, ...changes } }, message],
  ),
  ...ofAllocations.map(
    ([what, changes, message]): Refusal => [what, { allocation: { ...allocation, ...changes } }, message],
  ),
  ['portfolio and masks', { portfolio, masks: {} }, /masks/],
];
for (const [what, request, message] of refusals) {
  test(`${what} is refused`, () => {
    assert.throws(() => simulateRequests([{ id: 'p', ...request }]), message);
  });
}

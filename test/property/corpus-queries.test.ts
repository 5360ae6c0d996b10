import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { type CorpusColumn, corpusSchemas } from '../../data/corpus/columns.js';
import { CorpusReader, TextWidths } from '../../data/corpus/index.js';
import { ApiError } from '../../service/api-error.js';
import { partFiles } from '../../service/corpus/capability.js';
import { Corpus } from '../../service/corpus/corpus.js';
import type { CorpusQueryRequest } from '../../service/corpus/request.js';
import { openTestCorpus } from '../support/corpus.js';
import { runs } from '../support/scale.js';

/**
 * Pages of random queries against all rows, filtered and sorted in JavaScript. The queries run as
 * plain statements and as those that large corpora get, which look for the best files first and
 * read rows by their place.
 */

type Row = Readonly<Record<string, string | number | boolean | null>>;

const ROWS = 288;

let world: Awaited<ReturnType<typeof openTestCorpus>>;
let rows: readonly Row[];
let corpora: readonly Corpus[];

const columns = [...corpusSchemas.results.columns.values()];
const names = columns.map(({ name }) => name);

before(async () => {
  world = await openTestCorpus();
  await world.add('exp_d', true);
  corpora = [Number.POSITIVE_INFINITY, 0].map(
    (largeRowsMin) =>
      new Corpus({
        hasExperiment: async () => true,
        listParts: (orgId, ids) => partFiles(world.db, world.folder, orgId, ids),
        listBars: () => world.bars.list(),
        engine: world.engine,
        reader: new CorpusReader({ largeRowsMin, zonedRowsMin: 1 }),
        widths: new TextWidths(),
        secret: 's',
        bytesMax: 1e9,
      }),
  );
  const parts = [names.slice(0, 80), ['experiment_id', 'run_index', ...names.slice(80)]].map((select) =>
    world.corpus.query(world.us, { table: 'results', select, limit: 1_000 }),
  );
  const [most, rest] = await Promise.all(parts);
  rows = (most?.rows ?? []).map((row, i) => ({ ...row, ...rest?.rows[i] }) as Row);
  assert.equal(rows.length, ROWS);
});
after(() => world.close());

/** Orders texts by their bytes, as DuckDB does. */
const compare = (a: unknown, b: unknown): number => {
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(String(b)));
  return Number(a) - Number(b);
};

interface Condition {
  readonly col: string;
  readonly op: string;
  readonly value: unknown;
}

const tests: Readonly<Record<string, (cell: unknown, value: unknown) => boolean>> = {
  '=': (cell, value) => compare(cell, value) === 0,
  '!=': (cell, value) => compare(cell, value) !== 0,
  '>': (cell, value) => compare(cell, value) > 0,
  '>=': (cell, value) => compare(cell, value) >= 0,
  '<': (cell, value) => compare(cell, value) < 0,
  '<=': (cell, value) => compare(cell, value) <= 0,
  in: (cell, value) => (value as unknown[]).some((each) => compare(cell, each) === 0),
  between: (cell, value) => compare(cell, (value as unknown[])[0]) >= 0 && compare(cell, (value as unknown[])[1]) <= 0,
};

function meets(row: Row, { col, op, value }: Condition): boolean {
  const cell = row[col] ?? null;
  if (value === null) return (cell === null) === (op === '=');
  return cell !== null && (tests[op]?.(cell, value) ?? assert.fail(op));
}

function expected({ filters, order_by, select }: Generated): Row[] {
  const order = [...order_by, { col: 'experiment_id', dir: 'asc' }, { col: 'run_index', dir: 'asc' }];
  const sorted = rows
    .filter((row) => filters.every((filter) => meets(row, filter)))
    .sort((a, b) => {
      for (const { col, dir } of order) {
        const [x, y] = [a[col] ?? null, b[col] ?? null];
        if (x === null || y === null) {
          if (x !== y) return x === null ? 1 : -1;
          continue;
        }
        const way = compare(x, y);
        if (way !== 0) return dir === 'asc' ? way : -way;
      }
      return 0;
    });
  return sorted.map((row) => Object.fromEntries(select.map((name) => [name, row[name] ?? null])));
}

/** Values that rows have, so that bounds fall on and between them. */
const heldIn = (column: CorpusColumn): fc.Arbitrary<unknown> =>
  fc.nat({ max: ROWS - 1 }).chain((i) => {
    const value = rows[i]?.[column.name] ?? null;
    const other = {
      text: 'x',
      integer: 3,
      number: 0.5,
      boolean: true,
      date: '2024-06-01',
      time: '2024-06-01T00:00:00Z',
    };
    if (value === null) return fc.constant(other[column.type]);
    if (typeof value !== 'number') return fc.constant(value);
    return fc.constantFrom(value, value, value + 1e-9 * Math.abs(value), -value, Math.round(value));
  });

const condition = fc.constantFrom(...columns).chain((column): fc.Arbitrary<Condition> => {
  const value = heldIn(column);
  const col = column.name;
  const ops = column.type === 'boolean' ? ['=', '!='] : ['=', '!=', '>', '>=', '<', '<='];
  return fc.oneof(
    { weight: 6, arbitrary: fc.record({ col: fc.constant(col), op: fc.constantFrom(...ops), value }) },
    {
      weight: 1,
      arbitrary: fc.record({ col: fc.constant(col), op: fc.constantFrom('=', '!='), value: fc.constant(null) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        col: fc.constant(col),
        op: fc.constant('in'),
        value: fc.array(value, { minLength: 1, maxLength: 5 }),
      }),
    },
    ...(column.type === 'boolean'
      ? []
      : [
          {
            weight: 2,
            arbitrary: fc.record({ col: fc.constant(col), op: fc.constant('between'), value: fc.tuple(value, value) }),
          },
        ]),
  );
});

interface Generated {
  readonly table: 'results';
  readonly select: readonly string[];
  readonly filters: readonly Condition[];
  readonly order_by: readonly { readonly col: string; readonly dir: string }[];
  readonly limit: number;
}

/** Columns with many different values, some of them missing. */
const sortable = fc.oneof(
  fc.constantFrom('sharpe_ratio', 'win_rate', 'total_trades', 'irr_annualized', 'benchmark_btc_return', 'max_drawdown'),
  fc.constantFrom(...names),
);

const generated = (): fc.Arbitrary<Generated> =>
  fc.record({
    table: fc.constant('results' as const),
    select: fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 20 }),
    filters: fc.oneof(fc.constant([]), fc.array(condition, { maxLength: 3 })),
    order_by: fc.array(fc.record({ col: sortable, dir: fc.constantFrom('asc', 'desc') }), { maxLength: 3 }),
    limit: fc.constantFrom(40, 100, 1_000),
  });

test('the pages of any query together hold all of its rows in order', async () => {
  const property = fc.asyncProperty(fc.constant(null).chain(generated), async (query) => {
    const wanted = expected(query);
    for (const corpus of corpora) {
      const got: unknown[] = [];
      let page_token: string | null = null;
      do {
        const request: CorpusQueryRequest = page_token === null ? query : { ...query, page_token };
        const page = await corpus.query(world.us, request);
        assert.equal(page.row_count, page.rows.length);
        got.push(...page.rows);
        page_token = page.next_page_token;
        assert.ok(page.row_count === query.limit || page_token === null, 'only the last page is shorter');
      } while (page_token !== null);
      assert.deepEqual(got, wanted);
    }
  });
  await fc.assert(property, { numRuns: runs(6, 2_000) });
});

const evil = [
  "' OR '1'='1",
  "'; DROP TABLE results; --",
  "\" FROM results UNION SELECT * FROM read_text('/etc/passwd') --",
  "x') UNION ALL SELECT 'exp_c' --",
  '/etc/passwd',
  'exp_c',
  '../exp_c',
  '*',
  '%',
  '$1',
  '?',
  '\\',
  '\u2028',
  'http://127.0.0.1:1/x.parquet',
  'org_id',
  'filename',
  'file_row_number',
  'hold_limit_bars',
  '__proto__',
  'constructor',
  'toString',
  'read_parquet',
  '',
];
const text = fc.oneof(fc.constantFrom(...evil), fc.string({ unit: 'grapheme', maxLength: 12 }));
const scalar = fc.oneof(
  text,
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
const anyValue = fc.oneof(scalar, fc.array(scalar, { maxLength: 4 }), fc.constant({}), fc.constant([[]]));
const anyColumn = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...names, 'close', 'timestamp') },
  { weight: 1, arbitrary: text },
);
const anyBody = fc.record(
  {
    table: fc.oneof({ weight: 8, arbitrary: fc.constantFrom('results', 'ohlcv') }, { weight: 1, arbitrary: text }),
    select: fc.oneof(
      { weight: 8, arbitrary: fc.uniqueArray(anyColumn, { minLength: 1, maxLength: 3 }) },
      { weight: 1, arbitrary: anyValue },
    ),
    filters: fc.array(
      fc.record({
        col: anyColumn,
        op: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...Object.keys(tests)) }, { weight: 1, arbitrary: text }),
        value: anyValue,
      }),
      { maxLength: 2 },
    ),
    order_by: fc.array(fc.record({ col: anyColumn, dir: fc.oneof(fc.constantFrom('asc', 'desc'), text) }), {
      maxLength: 2,
    }),
    limit: fc.oneof(fc.constantFrom(1, 100, 1_000), fc.integer()),
    page_token: text,
    sql: anyValue,
  },
  { requiredKeys: ['table', 'select'] },
);

/** Valid queries with texts in them that would be harmful anywhere but in a value. */
const evilQuery = fc.record({
  table: fc.constant('results'),
  select: fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 3 }),
  filters: fc.array(
    fc.record({
      col: fc.constantFrom(...columns.filter(({ type }) => type === 'text').map(({ name }) => name)),
      op: fc.constantFrom('=', '!=', '>', '<='),
      value: text,
    }),
    { maxLength: 2 },
  ),
  limit: fc.constantFrom(1, 10),
});

test('any body gets only listed columns and rows of the caller, or a refusal', async () => {
  const seen = new Set<string>();
  const property = fc.asyncProperty(fc.oneof(evilQuery, anyBody), async (body) => {
    const request = body as CorpusQueryRequest;
    for (const corpus of corpora) {
      try {
        const { rows: found } = await corpus.query(world.us, request);
        seen.add('OK');
        const allowed = corpusSchemas[request.table as 'results' | 'ohlcv'].columns;
        for (const row of found) {
          assert.deepEqual(Object.keys(row), request.select);
          assert.ok(Object.keys(row).every((name) => allowed.has(name)));
          assert.notEqual(row.experiment_id, 'exp_c');
          assert.doesNotMatch(JSON.stringify(row), /root:|exp_c/);
        }
      } catch (error) {
        assert.ok(error instanceof ApiError, String((error as Error).stack));
        assert.ok(['INVALID_FIELD', 'MISSING_FIELD'].includes(error.code), `${error.code}: ${error.message}`);
        seen.add(error.code);
      }
    }
  });
  await fc.assert(property, { numRuns: runs(30, 5_000) });
  assert.ok(seen.has('OK') && seen.has('INVALID_FIELD'));
});

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { crossings, floors, imports, isOurs, partOf, sources } from '../support/imports.js';
import { root } from '../support/tree.js';

/** The parts that each part may import. Imports point down only. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  engine: [],
  data: ['engine'],
  report: ['engine'],
  workers: ['engine', 'data'],
  research: ['engine', 'data', 'report', 'workers'],
  contract: [],
  service: ['engine', 'data', 'report', 'workers', 'research', 'contract'],
  rpc: ['service', 'contract'],
  http: ['rpc', 'contract'],
  mcp: ['rpc', 'http', 'contract'],
  server: ['engine', 'data', 'report', 'workers', 'research', 'service', 'contract', 'rpc', 'http', 'mcp'],
  library: ['engine', 'data', 'report', 'research', 'contract', 'rpc'],
  web: ['engine', 'library', 'report'],
  cli: ['engine', 'data', 'report', 'workers', 'research', 'service', 'rpc', 'http', 'mcp', 'server', 'library'],
};

/** The only package that the engine may import: a pure function of two texts. */
const enginePackages = ['fastest-levenshtein'];

test('parts import only what lies below them', () => {
  assert.ok(crossings.length > 0);
  assert.deepEqual(
    crossings.filter(({ from, target }) => !allowed[partOf(from)].includes(partOf(target))),
    [],
  );
});

/**
 * Files that every caller of a part may import directly, because they import no other file of that
 * part but each other.
 */
const smallDoors = [
  'data/files.js', // with `data/processes.js`, which it alone imports
  'data/folder-of.js',
  'data/json-text.js',
  'data/moves-left.js',
  'data/outage.js',
  'data/settled-within.js',
  'engine/canonical-json.js',
  'engine/errors.js',
  'engine/nearest.js',
  'engine/text.js',
  'engine/unknown-keys.js',
  'http/paths.js',
  'library/client.js',
  'library/client/rest.js', // without gRPC, for browsers
  'library/client/generated/api.js',
  'report/format.js', // numbers as texts, without a page
  'report/money-digits.js',
  'contract/wire.js',
  'contract/messages.js', // types alone, which clients of other programs read
  'service/api-error.js',
  'service/caller.js',
  'service/repeatedly.js',
  'service/use-cases.js',
  'service/identity/metered-resources.js',
];

test('a part is entered through an index or through a file that it shares with its callers', () => {
  const isDoor = (target: string) => /(^|\/)index\.js$/.test(target) || smallDoors.includes(target);
  assert.deepEqual(
    crossings.filter(({ target }) => !isDoor(target)),
    [],
  );
});

test('the engine does no I/O and imports no platform module', () => {
  const foreign = imports.filter(({ from, target }) => partOf(from) === 'engine' && !isOurs(target));
  assert.deepEqual(
    foreign.filter(({ target }) => !enginePackages.includes(target)),
    [],
  );
});

const isForBrowser = (file: string): boolean => file.startsWith('report/browser/') || file.startsWith('web/');
/** What runs in a browser may reach: pure code alone. */
const purePlaces = /^(report|web|engine|library\/client)\//;

test('code for the browser reaches only pure code, directly or not', () => {
  const browserFiles = sources.filter(isForBrowser);
  assert.ok(browserFiles.length > 0);
  const reached = new Set(browserFiles);
  for (const file of reached) {
    for (const { from, target } of imports)
      if (from === file && isOurs(target)) reached.add(target.replace(/\.js$/, '.ts'));
  }
  assert.deepEqual(
    [...reached].filter((file) => !purePlaces.test(file)),
    [],
  );
});

test('code for the browser lies in report/browser only, and pages get it as a bundle', () => {
  const others = sources.filter((file) => partOf(file) === 'report' && !isForBrowser(file));
  const touches = /\bdocument\.|\bquerySelector|\baddEventListener/;
  assert.deepEqual(
    others.filter((file) => touches.test(readFileSync(join(root, file), 'utf8'))),
    [],
  );
  assert.deepEqual(
    imports.filter(({ from, target }) => isForBrowser(target) && !isForBrowser(from)),
    [],
  );
});

/**
 * Five lines of browser code each, in a text. The bundles are of `report`, which `http` cannot
 * import, and a bundle, a project and a generated module for these lines would be longer. The tests
 * in `test/browser` run both pages. Anything longer gets a bundle.
 */
const withLinesForBrowsers = ['http/docs.ts', 'service/identity/redirect-login.ts'];

test('other rooms hold no code for the browser in texts, but for two pages with a few lines', () => {
  const touches = /\bdocument\.(?:documentElement|body|getElementById|querySelector|createElement)|\bmatchMedia\(/;
  const holding = sources.filter(
    (file) => !['report', 'web'].includes(partOf(file)) && touches.test(readFileSync(join(root, file), 'utf8')),
  );
  assert.deepEqual(holding.sort(), withLinesForBrowsers);
});

test('there are no import cycles', () => {
  const edges = new Map<string, string[]>();
  for (const { from, target } of imports) {
    if (isOurs(target)) edges.set(from, [...(edges.get(from) ?? []), target.replace(/\.js$/, '.ts')]);
  }
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    assert.ok(!path.includes(file), `cycle: ${[...path, file].join(' -> ')}`);
    if (done.has(file)) return;
    for (const next of edges.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of sources) visit(file, []);
});

/** A path of imports from `from` back to itself, or null. */
function circleFrom(from: string, edges: ReadonlyMap<string, ReadonlySet<string>>): string[] | null {
  const ways: string[][] = [[from]];
  const seen = new Set<string>();
  for (const way of ways) {
    for (const next of edges.get(way[way.length - 1]) ?? []) {
      if (next === from) return [...way, from];
      if (!seen.has(next)) ways.push([...way, next]);
      seen.add(next);
    }
  }
  return null;
}

test('the folders of the engine form no import cycle, types included', () => {
  assert.ok(floors.size > 0);
  const circles = [...floors.keys()].flatMap((floor) => circleFrom(floor, floors)?.join(' -> ') ?? []);
  assert.deepEqual(circles, []);
});

/** Files that may read the environment or write to the terminal. */
const atTheEdge = ['cli/environment.ts', 'cli/main.ts', 'cli/output.ts', 'library/home.ts'];

const forbidden: readonly (readonly [what: string, pattern: RegExp, where: (file: string) => boolean])[] = [
  ['console', /\bconsole\./, (file) => !atTheEdge.includes(file)],
  ['process.env', /\bprocess\.env\b/, (file) => !atTheEdge.includes(file)],
  ['a clock', /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b/, (file) => partOf(file) === 'engine'],
  ['randomness', /\bMath\.random\b/, (file) => partOf(file) === 'engine' || partOf(file) === 'service'],
  // Pages of a browser show the time of their reader beside UTC.
  [
    'the local time zone',
    /\.get(Date|Day|FullYear|Hours|Minutes|Month|Seconds)\(|\.toLocale/,
    (file) => partOf(file) !== 'web',
  ],
  ['a cast by way of another type', /\bas never\b|\bas unknown as\b/, () => true],
  ['an escape from the type checker', /\bas any\b|@ts-ignore|@ts-nocheck|@ts-expect-error/, () => true],
];

for (const [what, pattern, where] of forbidden) {
  test(`no source that must not uses ${what}`, () => {
    const guilty = sources.filter((file) => where(file) && pattern.test(readFileSync(join(root, file), 'utf8')));
    assert.deepEqual(guilty, []);
  });
}

test('the documents list every decision record', () => {
  const records = readdirSync(join(root, 'docs/adr')).filter((file) => /^\d{4}-.*\.md$/.test(file));
  const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  assert.ok(records.length > 0);
  assert.deepEqual(
    records.filter((file) => !contributing.includes(file)),
    [],
  );
});

/** Files that load with this one: what it imports from us beside types, and what these import. */
function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = readFileSync(join(root, file), 'utf8');
  for (const [, named, specifier] of text.matchAll(/^(?:import|export) (?!type )([^;]*?)from '(\.[^']+)'/gms)) {
    const isOfTypes = /^\{\s*(type \w+( as \w+)?,?\s*)+\}\s*$/.test(named);
    if (!isOfTypes) loadedWith(join(file, '..', specifier).replace(/\.js$/, '.ts'), seen);
  }
  return seen;
}

test('the command of the service loads its settings alone, so that the store opens while the rest loads', () => {
  const loaded = [...loadedWith('cli/commands/serve.ts')];
  assert.ok(loaded.includes('server/start.ts') && loaded.includes('service/settings/config.ts'));
  const light =
    /^(cli|server|service\/(settings|providers)|data\/settled-within|data\/state\/embedded|data\/(lock|processes|files|hold|home-moves|outage))\b/;
  const doors = smallDoors.map((door) => door.replace(/\.js$/, '.ts'));
  assert.deepEqual(
    loaded.filter((file) => !light.test(file) && !doors.includes(file)),
    [],
  );
});

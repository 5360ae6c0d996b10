/**
 * Reports a run of tests: each failure with its error, the ten slowest tests, and the counts. Node's
 * own reporters print thousands of lines for tests that pass.
 */

import { relative } from 'node:path';
import { inspect } from 'node:util';

const SLOWEST = 10;

/** @param {AsyncIterable<{ type: string, data: any }>} events of Node's test runner */
export default async function* report(events) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const timed = [];
  for await (const { type, data } of events) {
    if (type === 'test:stderr' || type === 'test:stdout') yield data.message;
    if (type === 'test:diagnostic' && data.nesting > 0) yield `# ${data.message}\n`;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (data.details.type === 'suite' || isProgram(data)) {
      if (type === 'test:fail') yield* failure(data);
      continue;
    }
    if (data.skip !== undefined) {
      counts.skipped++;
      yield `skipped: ${data.name}${typeof data.skip === 'string' && data.skip !== '' ? ` (${data.skip})` : ''}\n`;
      continue;
    }
    timed.push({ name: data.name, file: placeOf(data), ms: data.details.duration_ms });
    if (type === 'test:pass') counts.passed++;
    else {
      counts.failed++;
      yield* failure(data);
    }
  }
  timed.sort((a, b) => b.ms - a.ms);
  yield '\nslowest tests:\n';
  for (const { name, file, ms } of timed.slice(0, SLOWEST)) {
    yield `${(ms / 1000).toFixed(1).padStart(7)} s  ${file}: ${name}\n`;
  }
  yield `\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`;
}

/** Name of the test that `hold-tests.mjs` declares; that module cannot be imported outside of tests. */
const LOADING = 'the test files are loaded';

/** A whole file reports like a test; its own tests are counted instead. */
const isProgram = ({ name, nesting, file }) =>
  nesting === 0 && (name === file || name.endsWith('.test.js') || name === LOADING);

function* failure(data) {
  const { error } = data.details;
  const cause = error?.cause ?? error;
  yield `\nFAILED ${placeOf(data)}: ${data.name}\n${cause?.stack ?? inspect(cause)}\n`;
}

const placeOf = ({ file, line }) =>
  file === undefined ? '?' : `${relative(process.cwd(), file)}${line === undefined ? '' : `:${line}`}`;

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { namedColumns } from '../../data/bars/columns.js';
import { parquetSource, sqlText, withDuckDb } from '../../data/duckdb.js';
import { type EngineCode, EngineError } from '../../engine/errors.js';
import type { BarSeries } from '../../engine/series/bars.js';
import { temporaryFolder } from './temporary-folder.js';
import { goldenPath } from './tree.js';

/** A folder that is removed when the test ends. */
export function tempFolder(t: TestContext): string {
  const folder = temporaryFolder('data');
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const documents: Readonly<Record<string, object>> = JSON.parse(
  readFileSync(goldenPath('cases/documents.json'), 'utf8'),
);

let written: string | undefined;

/** A folder with the documents of all reported situations as files. */
function documentFolder(): string {
  if (written !== undefined) return written;
  const folder = temporaryFolder('cases');
  for (const [file, document] of Object.entries(documents)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), JSON.stringify(document));
  }
  written = folder;
  return folder;
}

/** The path of an input of a reported situation: a file of `cases/`, or one of its documents. */
export const casePath = (name: string, file: string): string =>
  `${name}/${file}` in documents ? join(documentFolder(), name, file) : goldenPath(join('cases', name, file));

/** Awaits a refusal with the given code, in one line that matches. */
export async function refuses(promise: Promise<unknown>, code: EngineCode, pattern: RegExp): Promise<void> {
  await assert.rejects(promise, (error: unknown) => {
    assert.ok(error instanceof EngineError, `an EngineError, was ${String(error)}`);
    assert.equal(error.code, code, error.message);
    assert.match(error.message, pattern);
    assert.doesNotMatch(error.message, /[\r\n]/);
    return true;
  });
}

/** A series as CSV text, times as epoch ms, absent chain cells empty. */
export function csvOf(bars: BarSeries): string {
  const columns = namedColumns(bars);
  const rows = Array.from(bars.time, (_, i) =>
    columns.map(({ values }) => (Number.isNaN(values[i]) ? '' : String(values[i]))).join(','),
  );
  return `${[columns.map(({ name }) => name).join(','), ...rows].join('\n')}\n`;
}

/** A Parquet file with the rows of a SELECT. */
export async function parquetOf(path: string, select: string): Promise<string> {
  await withDuckDb((connection) => connection.run(`COPY (${select}) TO ${sqlText(path)} (FORMAT parquet)`));
  return path;
}

/** The value of an SQL expression over one Parquet file. */
export const queryParquet = (path: string, expressions: string): Promise<unknown[][]> =>
  withDuckDb(async (connection) =>
    (await connection.runAndReadAll(`SELECT ${expressions} FROM ${parquetSource(path)}`)).getRowsJson(),
  );

export async function fileOf(folder: string, name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

/** The bytes of every column, so that series can be compared bit for bit. */
export const bytesOf = (bars: BarSeries): Record<string, string> =>
  Object.fromEntries(
    namedColumns(bars).map(({ name, values }) => [name, Buffer.from(Float64Array.from(values).buffer).toString('hex')]),
  );

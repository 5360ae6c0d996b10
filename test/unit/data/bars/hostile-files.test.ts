import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { type FileMetaData, parquetMetadata } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer/src/bytewriter.js';
import { writeMetadata } from 'hyparquet-writer/src/metadata.js';
import { sqlText, withDuckDb } from '../../../../data/duckdb.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { nodeArgs } from '../../../support/tree.js';

const folder = temporaryFolder('hostile');
/** What a process takes that reads a small file is below 120 MB. */
const PEAK_MB_MAX = 300;

const prices = ['open', 'high', 'low', 'close', 'volume'].map((name) => `1.0::DOUBLE AS ${name}`).join(', ');
const same = `SELECT TIMESTAMP '2024-01-01' AS timestamp, ${prices}`;

async function parquet(name: string, select: string): Promise<string> {
  const path = join(folder, name);
  await withDuckDb((connection) =>
    connection.run(`COPY (${select}) TO ${sqlText(path)} (FORMAT parquet, COMPRESSION zstd)`),
  );
  return path;
}

/** The same pages under other metadata. */
function withMetadata(from: string, name: string, change: (metadata: FileMetaData) => FileMetaData): string {
  const bytes = readFileSync(from);
  const footer = 8 + bytes.readUInt32LE(bytes.length - 8);
  const writer = new ByteWriter();
  writer.appendBytes(bytes.subarray(0, bytes.length - footer));
  const { buffer, byteOffset, byteLength } = bytes;
  writeMetadata(writer, change(parquetMetadata(buffer.slice(byteOffset, byteOffset + byteLength))));
  writer.appendUint32(0x31524150); // PAR1
  const path = join(folder, name);
  writeFileSync(path, new Uint8Array(writer.getBuffer()));
  return path;
}

/** Reads in a process of its own, whose memory counts. */
async function read(
  reader: string,
  file: string,
): Promise<{ readonly refusal: string | null; readonly peakMb: number }> {
  const args = nodeArgs('test/support/reading-process', reader, file);
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as Awaited<ReturnType<typeof read>>;
}

async function refuses(reader: string, file: string, message: RegExp): Promise<void> {
  const { refusal, peakMb } = await read(reader, file);
  assert.match(refusal ?? 'read', message, `${reader} ${file}`);
  assert.ok(peakMb < PEAK_MB_MAX, `${reader} of ${statSync(file).size} bytes took ${peakMb} MB`);
}

test('a few bytes of Parquet that hold or claim a lot are refused by what they say', async (t) => {
  const small = await parquet('small.parquet', `${same} FROM range(1000)`);
  const claiming = (rows: bigint) => (metadata: FileMetaData) => ({
    ...metadata,
    num_rows: rows,
    row_groups: metadata.row_groups.map((group) => ({ ...group, num_rows: rows })),
  });
  const files = {
    'rows above the bound': [
      withMetadata(small, 'claims.parquet', claiming(150_000_000n)),
      /claims.parquet must have at most [25]0000000 rows, has 150000000/,
    ],
    'more than its length allows': [
      await parquet('dense.parquet', `${same} FROM range(6000000)`),
      /dense.parquet must hold at most 67108864 bytes in its columns, as its \d+ bytes allow, has \d+/,
    ],
    'more pages than its length allows': [
      withMetadata(small, 'pages.parquet', (metadata) => ({
        ...metadata,
        row_groups: metadata.row_groups.map((group) => ({
          ...group,
          columns: group.columns.map((column) => ({
            ...column,
            ...(column.meta_data && { meta_data: { ...column.meta_data, total_uncompressed_size: 1n << 40n } }),
          })),
        })),
      })),
      /pages.parquet must hold at most 67108864 bytes/,
    ],
  } as const;
  for (const [what, [file, message]] of Object.entries(files)) {
    for (const reader of ['bars', 'series', 'plain']) {
      await t.test(`${what}, by the reader of ${reader}`, () => refuses(reader, file, message));
    }
  }
  await t.test('more rows than the file says', async () => {
    const fewer = withMetadata(small, 'fewer.parquet', claiming(10n));
    await refuses('bars', fewer, /fewer.parquet (must have|cannot be read)|row 2/);
  });
});

test('a time of a million characters is refused by its length', async (t) => {
  const long = (rows: number) => `SELECT repeat('9', 1000000) AS timestamp, ${prices} FROM range(${rows})`;
  const written = await parquet('long.parquet', long(4_000));
  for (const reader of ['bars', 'series']) {
    await t.test(`Parquet, by the reader of ${reader}`, () =>
      refuses(reader, written, /long.parquet row 1: time(stamp)? must have at most 64 characters, was "999/),
    );
  }
  const head = 'timestamp,open,high,low,close,volume\n';
  const row = `${'9'.repeat(90_000)},1,1,1,1,1\n`;
  const cell = join(folder, 'cell.csv');
  writeFileSync(cell, head + row.repeat(1_000));
  const line = join(folder, 'line.csv');
  writeFileSync(line, `${head}${'9'.repeat(150_000)},1,1,1,1,1\n`.repeat(100));
  const quoted = join(folder, 'quoted.csv');
  writeFileSync(quoted, `${head}"${'9'.repeat(50_000_000)}",1,1,1,1,1\n`);
  for (const reader of ['bars', 'series']) {
    await t.test(`CSV, by the reader of ${reader}`, async () => {
      await refuses(reader, cell, /cell.csv line 2: time(stamp)? must have at most 64 characters, was "999/);
      await refuses(reader, line, /line.csv line 2: must have at most 100000 characters/);
      await refuses(reader, quoted, /quoted.csv line \d+: .*(100000|Max Record Size)/);
    });
  }
});

test('a header without end, and lines without rows, are no reason to take memory', async (t) => {
  const names = Array.from({ length: 20_000 }, (_, i) => `c${i}`).join(',');
  const wide = join(folder, 'wide.csv');
  writeFileSync(wide, `timestamp,open,high,low,close,volume,${names.slice(0, 90_000)}\n1,1,1,1,1,1\n`);
  await t.test('columns', async () => {
    await refuses('bars', wide, /wide.csv line 1: must have at most 1000 columns, has \d+/);
  });
  const named = join(folder, 'named.csv');
  writeFileSync(named, `timestamp,open,high,low,close,volume,${'n'.repeat(5_000)}\n1,1,1,1,1,1,1\n`);
  await t.test('a name', async () => {
    await refuses('bars', named, /named.csv line 1: a name of a column must have at most 200 characters, has 5000/);
  });
  const blank = join(folder, 'blank.csv');
  const further = Array.from({ length: 64 }, (_, i) => `x${i}`).join(',');
  const cells = Array.from({ length: 70 }, () => '1')
    .join(',')
    .slice(1);
  writeFileSync(
    blank,
    `timestamp,open,high,low,close,volume,${further}\n1704067200000${cells}\n1704070800000${cells}\n${'\n'.repeat(20_000_000)}`,
  );
  await t.test('blank lines', async () => {
    const { refusal, peakMb } = await read('bars', blank);
    assert.equal(refusal, null);
    assert.ok(peakMb < PEAK_MB_MAX, `20 MB of line breaks took ${peakMb} MB`);
  });
});

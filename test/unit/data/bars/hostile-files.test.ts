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

interface Read {
  readonly refusal: string | null;
  readonly peakMb: number;
}

/** Reads in a process of its own, whose memory counts. */
async function read(reader: string, files: readonly string[]): Promise<Read[]> {
  const args = nodeArgs('test/support/reading-process', reader, ...files);
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as Read[];
}

const small = await parquet('small.parquet', `${same} FROM range(1000)`);
const claiming = (rows: bigint) => (metadata: FileMetaData) => ({
  ...metadata,
  num_rows: rows,
  row_groups: metadata.row_groups.map((group) => ({ ...group, num_rows: rows })),
});
const unpacking = (metadata: FileMetaData) => ({
  ...metadata,
  row_groups: metadata.row_groups.map((group) => ({
    ...group,
    columns: group.columns.map((column) => ({
      ...column,
      ...(column.meta_data && { meta_data: { ...column.meta_data, total_uncompressed_size: 1n << 40n } }),
    })),
  })),
});

const head = 'timestamp,open,high,low,close,volume';
function csv(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}
const names = Array.from({ length: 20_000 }, (_, i) => `c${i}`).join(',');
const further = Array.from({ length: 64 }, (_, i) => `x${i}`).join(',');
const cells = ',1'.repeat(69);

/** Files that hold or claim a lot: what is said of each, null where it is read. */
const parquets: readonly (readonly [file: string, said: RegExp])[] = [
  [
    withMetadata(small, 'claims.parquet', claiming(150_000_000n)),
    /claims.parquet must have at most [25]0000000 rows, has 150000000/,
  ],
  [
    await parquet('dense.parquet', `${same} FROM range(6000000)`),
    /dense.parquet must hold at most 67108864 bytes in its columns, as its \d+ bytes allow, has \d+/,
  ],
  [withMetadata(small, 'pages.parquet', unpacking), /pages.parquet must hold at most 67108864 bytes/],
];
const long = `SELECT repeat('9', 1000000) AS timestamp, ${prices} FROM range(4000)`;
const texts: readonly (readonly [file: string, said: RegExp | null])[] = [
  [await parquet('long.parquet', long), /long.parquet row 1: time(stamp)? must have at most 64 characters, was "999/],
  [
    csv('cell.csv', `${head}\n${`${'9'.repeat(90_000)},1,1,1,1,1\n`.repeat(1_000)}`),
    /cell.csv line 2: time(stamp)? must have at most 64 characters, was "999/,
  ],
  [
    csv('quoted.csv', `${head}\n"${'9'.repeat(50_000_000)}",1,1,1,1,1\n`),
    /quoted.csv line \d+: .*(100000|Max Record Size)/,
  ],
];
const ofBars: typeof texts = [
  [
    withMetadata(small, 'fewer.parquet', claiming(10n)),
    /fewer.parquet (must have|cannot be read)|row 2/, // more rows than it says
  ],
  [
    csv('wide.csv', `${head},${names.slice(0, 90_000)}\n1,1,1,1,1,1\n`),
    /wide.csv line 1: must have at most 1000 columns, has \d+/,
  ],
  [
    csv('blank.csv', `${head},${further}\n1704067200000${cells}\n1704070800000${cells}\n${'\n'.repeat(20_000_000)}`),
    null,
  ],
];

for (const [reader, files] of Object.entries({
  bars: [...parquets, ...texts, ...ofBars],
  series: [...parquets, ...texts],
  plain: parquets,
})) {
  test(`the reader of ${reader} refuses by what they say files that hold or claim a lot, and takes little memory`, async () => {
    const answers = await read(
      reader,
      files.map(([file]) => file),
    );
    for (const [i, [file, said]] of files.entries()) {
      const { refusal, peakMb } = answers[i]!;
      if (said === null) assert.equal(refusal, null);
      else assert.match(refusal ?? 'read', said, file);
      assert.ok(peakMb < PEAK_MB_MAX, `${statSync(file).size} bytes took ${peakMb} MB`);
    }
  });
}

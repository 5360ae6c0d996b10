import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { readBarsFile, writeBars } from '../../data/bars/index.js';
import { EngineError } from '../../engine/errors.js';
import { fileOf, tempFolder } from '../support/data-fixtures.js';
import { randomBars, seededRandom } from '../support/random.js';
import { runs } from '../support/scale.js';

type Mutate = (bytes: Buffer, random: () => number) => Buffer;
const at = (bytes: Buffer, random: () => number) => Math.floor(random() * bytes.length);
const scraps = [
  '"',
  '""',
  ',',
  '\n',
  '\r\n',
  '\r',
  '\0',
  'NaN',
  '-',
  '1e999',
  '\uFEFF',
  '\u2028',
  ';',
  'timestamp',
  'é'.repeat(50),
  '9'.repeat(400),
];

const mutations: readonly Mutate[] = [
  (bytes, random) => bytes.subarray(0, at(bytes, random)),
  (bytes, random) => bytes.subarray(at(bytes, random)),
  (bytes, random) => {
    const copy = Buffer.from(bytes);
    for (let n = 1 + Math.floor(random() * 8); n > 0; n--) copy[at(copy, random)] = Math.floor(random() * 256);
    return copy;
  },
  (bytes, random) => {
    const index = at(bytes, random);
    const scrap = scraps[Math.floor(random() * scraps.length)]!;
    return Buffer.concat([bytes.subarray(0, index), Buffer.from(scrap), bytes.subarray(index)]);
  },
  (bytes, random) => {
    const [from, to, into] = [at(bytes, random), at(bytes, random), at(bytes, random)];
    return Buffer.concat([
      bytes.subarray(0, into),
      bytes.subarray(Math.min(from, to), Math.max(from, to)),
      bytes.subarray(into),
    ]);
  },
  (bytes, random) => Buffer.from(Array.from({ length: at(bytes, random) }, () => Math.floor(random() * 256))),
  (bytes, random) => {
    const copy = Buffer.from(bytes);
    copy.fill(0xff, at(copy, random), at(copy, random));
    return copy;
  },
];

/**
 * Mutilates a sound file in every way. Reading it must give valid bars, or one line that says why
 * not.
 */
async function fuzz(
  sound: Buffer,
  read: (bytes: Buffer) => Promise<unknown>,
  count: number,
  seed: number,
): Promise<number> {
  let refused = 0;
  for (let run = 0; run < count; run++) {
    const random = seededRandom(seed * 1_000_003 + run);
    let bytes = sound;
    for (let n = random() < 0.3 ? 2 : 1; n > 0; n--)
      bytes = mutations[Math.floor(random() * mutations.length)]!(bytes, random);
    try {
      await read(bytes);
    } catch (error) {
      assert.ok(error instanceof EngineError, `run ${run}: ${(error as Error).stack}`);
      assert.equal(error.code, 'INVALID_DATA', `run ${run}: ${error.message}`);
      assert.match(error.message, /^bars\.\w+( |:)[^\r\n]+$/, `run ${run}`);
      assert.ok(error.message.length < 600, `run ${run}: ${error.message.length} characters`);
      refused++;
    }
  }
  return refused;
}

test('a mutilated Parquet file is read or refused, and sound files are read afterwards', async (t) => {
  const folder = tempFolder(t);
  const path = join(folder, 'sound.parquet');
  await writeBars(path, randomBars({ seed: 1, barCount: 300 }));
  const sound = await readFile(path);
  const magic = Buffer.from('PAR1');
  const read = async (bytes: Buffer) => {
    // Half of the broken files keep their magic bytes, so that DuckDB gets to parse them.
    const framed = bytes.length % 2 === 0 ? bytes : Buffer.concat([magic, bytes.subarray(4, -4), magic]);
    return readBarsFile(await fileOf(folder, 'bars.parquet', framed));
  };
  const count = runs(30, 5_000);
  assert.ok((await fuzz(sound, read, count, 3)) > count / 2);
  assert.equal((await readBarsFile(path)).bars.barCount, 300);
});

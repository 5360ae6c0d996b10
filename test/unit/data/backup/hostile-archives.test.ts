import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import test, { before } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Header } from 'tar';
import { backUp, restore } from '../../../../server/operate.js';
import { readServiceConfig } from '../../../../service/settings/config.js';
import { openState } from '../../../../service/state/index.js';
import { newHome } from '../../../support/state.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

interface Member {
  readonly path: string;
  readonly content?: Buffer;
  readonly type?: 'File' | 'SymbolicLink' | 'Link' | 'Directory' | 'CharacterDevice' | 'FIFO';
  readonly linkpath?: string;
}

let home: string;
let archive: string;
/** The members of a sound archive but the list. */
let members: readonly Member[];

const configOf = (folder: string, more = {}) => readServiceConfig({ BARLINE_HOME: folder, ...more });

before(async () => {
  home = await newHome();
  mkdirSync(join(home, 'runs'));
  writeFileSync(join(home, 'runs', 'run-1.json'), '{"a":1}');
  const state = await openState({ home });
  await state.close();
  archive = join(temporaryFolder('archives'), 'sound.tar');
  const { files } = await backUp(configOf(home), archive, '9.9.9');
  members = files.map(({ path }) => ({ path, content: contentOf(archive, path) }));
});

/** A member of an archive whose entries have short names. */
function contentOf(file: string, wanted: string): Buffer {
  const bytes = readFileSync(file);
  for (let at = 0; at < bytes.length; ) {
    const header = new Header(bytes, at);
    const size = header.size ?? 0;
    if (header.path === wanted) return bytes.subarray(at + 512, at + 512 + size);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  throw new Error(`no ${wanted}`);
}

const stateLines = (): string[] =>
  gunzipSync(members.find(({ path }) => path === 'state.jsonl.gz')?.content ?? Buffer.alloc(0))
    .toString()
    .trimEnd()
    .split('\n');

const withState = (lines: readonly string[]): readonly Member[] => withContent(gzipSync(`${lines.join('\n')}\n`));

const withContent = (content: Buffer): readonly Member[] =>
  members.map((member) => (member.path === 'state.jsonl.gz' ? { ...member, content } : member));

/** An archive as nobody's tool would write it: entries as given, under any name. */
function pack(entries: readonly Member[]): string {
  const blocks = entries.flatMap(({ path, content = Buffer.alloc(0), type = 'File', linkpath }) => {
    const block = Buffer.alloc(512);
    const size = type === 'File' ? content.length : 0;
    new Header({
      path,
      size,
      type,
      mode: 0o4777,
      mtime: new Date(0),
      ...(linkpath === undefined ? {} : { linkpath }),
    }).encode(block);
    return [block, content.subarray(0, size), Buffer.alloc((512 - (size % 512)) % 512)];
  });
  const file = join(temporaryFolder('archives'), 'hostile.tar');
  writeFileSync(file, Buffer.concat([...blocks, Buffer.alloc(1_024)]));
  return file;
}

const listOf = (listed: readonly Member[], changes: object = {}): Member => {
  const files = listed.map(({ path, content = Buffer.alloc(0) }) => ({
    path,
    bytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
  }));
  const list = { form: 1, version: '9.9.9', createdAt: '2024-01-31T00:00:00.000Z', files, ...changes };
  return { path: 'manifest.json', content: Buffer.from(JSON.stringify(list)) };
};

/** Every name, kind, mode and byte below a folder, as one hash; without the lock of the holder. */
function fingerprint(folder: string): string {
  const hash = createHash('sha256');
  const visit = (path: string): void => {
    const found = lstatSync(path);
    hash.update(`${path.slice(folder.length)} ${found.mode}\0`);
    if (found.isDirectory()) for (const name of readdirSync(path).sort()) visit(join(path, name));
    else if (found.isSymbolicLink()) hash.update(readlinkSync(path));
    else if (found.isFile()) hash.update(readFileSync(path));
  };
  visit(folder);
  return hash.digest('hex');
}

const text = (content: string): Buffer => Buffer.from(content);
const extra = (member: Member) => [listOf([...members, member]), ...members, member];
const unlisted = (member: Member) => [listOf(members), ...members, member];

/** What a hostile archive holds, and what the refusal says; `state/dump.test.ts` has more of states. */
const archives: Readonly<Record<string, readonly [make: () => readonly Member[], message: RegExp]>> = {
  'a file among those of the store': [
    () => extra({ path: 'home/state/PG_VERSION', content: text('16') }),
    /"home\/state\/PG_VERSION" is no path of a backup/,
  ],
  'a path out of the folder': [
    () => extra({ path: 'home/../../outside', content: text('x') }),
    /"home\/..\/..\/outside" is no path of a backup/,
  ],
  'a symbolic link': [
    () => unlisted({ path: 'home/link', type: 'SymbolicLink', linkpath: '/etc' }),
    /"home\/link" must be a file, is of the type SymbolicLink/,
  ],
  'two names that some file systems take for one': [
    () => {
      const twins = [
        { path: 'home/a.json', content: text('1') },
        { path: 'home/A.json', content: text('2') },
      ];
      return [listOf([...members, ...twins]), ...members, ...twins];
    },
    /"home\/A.json" is there twice/,
  ],
  'a file larger than listed': [
    () => {
      const longer = members.map((one) =>
        one.path === 'home/runs/run-1.json' ? { ...one, content: text('{"a":1}  ') } : one,
      );
      return [listOf(members), ...longer];
    },
    /"home\/runs\/run-1.json" must have 7 bytes, has 9/,
  ],
  'migrations in another order': [
    () => {
      const [head = '', ...rows] = stateLines();
      const json = JSON.parse(head) as { migrations: string[] };
      const changed = withState([JSON.stringify({ ...json, migrations: json.migrations.toReversed() }), ...rows]);
      return [listOf(changed), ...changed];
    },
    /migrations must be the first ones/,
  ],
  'a state that unpacks to far more than it has': [
    () => {
      const changed = withContent(gzipSync(Buffer.alloc(80 * 1024 * 1024)));
      return [listOf(changed), ...changed];
    },
    /must (have at most 67108864 characters|unpack to at most 67108864 bytes), has more/,
  ],
};

test('an archive of a stranger is refused, and the home it would replace stays bit for bit', async (t) => {
  const old = join(temporaryFolder('old'), 'home'); // few bytes: each case hashes all of them
  for (const [folder, name] of [
    ['runs', 'mine.json'],
    ['state', 'PG_VERSION'],
  ] as const) {
    mkdirSync(join(old, folder), { recursive: true });
    writeFileSync(join(old, folder, name), '17\n');
  }
  const before = fingerprint(old);
  for (const [what, [make, message]] of Object.entries(archives)) {
    await t.test(what, async () => {
      await assert.rejects(restore(configOf(old), pack(make()), true), { name: 'EngineError', message });
      assert.equal(fingerprint(old), before);
      assert.ok(!existsSync(join(dirname(old), 'outside')) && !existsSync('/tmp/barline-outside'));
    });
  }
  await t.test('an archive cut short at any block', async () => {
    const sound = readFileSync(archive);
    const cut = join(temporaryFolder('archives'), 'cut.tar');
    const state = contentOf(archive, 'state.jsonl.gz').length;
    for (const bytes of [0, 100, 512, 1_024, 1_500, state, sound.length - 2_048, sound.length - 1_600]) {
      writeFileSync(cut, sound.subarray(0, bytes));
      await assert.rejects(restore(configOf(old), cut, true), { code: 'INVALID_DATA' }, `${bytes} bytes`);
      assert.equal(fingerprint(old), before);
    }
  });
  await t.test('the same members packed by hand are taken, and run nothing', async () => {
    const target = join(temporaryFolder('restored'), 'home');
    await restore(configOf(target), pack([listOf(members), ...members]), false);
    const file = join(target, 'runs', 'run-1.json');
    assert.equal(readFileSync(file, 'utf8'), '{"a":1}');
    assert.equal(statSync(file).mode & 0o7111, 0);
  });
});

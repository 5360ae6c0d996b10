import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError, quote } from '../../engine/errors.js';
import { makeFolder, replaceFile } from '../files.js';

/** Records of finished runs, one JSON file each, named by the id of the run. */
interface RunRecords {
  /** Writes the record of a run, or replaces it when the run is repeated. */
  save(id: string, record: unknown): Promise<void>;
  /**
   * The parsed record of an id, or of an unambiguous prefix of one.
   * @throws NOT_FOUND; INVALID_DATA
   */
  load(id: string): Promise<unknown>;
  /** Ids in ascending order. */
  list(): Promise<string[]>;
}

const SUFFIX = '.json';
const isId = (text: string): boolean => /^[A-Za-z0-9_-]{1,80}$/.test(text);

export function openRuns(home: string): RunRecords {
  const folder = join(home, 'runs');
  const list = async () => {
    const names = await readdir(folder).catch(() => [] as string[]);
    return names
      .filter((name) => name.endsWith(SUFFIX) && isId(name.slice(0, -SUFFIX.length)))
      .map((name) => name.slice(0, -SUFFIX.length))
      .sort();
  };
  return {
    list,
    async save(id, record) {
      await makeFolder(folder);
      await replaceFile(join(folder, `${id}${SUFFIX}`), (aside) => writeFile(aside, `${JSON.stringify(record)}\n`));
    },
    async load(id) {
      const matches = (await list()).filter((held) => held.startsWith(id));
      // biome-ignore lint/style/noNonNullAssertion: the length was just compared
      const match = matches.includes(id) ? id : matches.length === 1 ? matches[0]! : null;
      if (match === null) {
        const found = matches.length === 0 ? 'no run begins with it' : `${matches.length} runs begin with it`;
        throw new EngineError('NOT_FOUND', `unknown run ${quote(id)}: ${found} in ${folder}`, { run: id });
      }
      const text = await readFile(join(folder, `${match}${SUFFIX}`), 'utf8');
      try {
        return JSON.parse(text) as unknown;
      } catch {
        throw new EngineError('INVALID_DATA', `the record of run ${match} is not JSON; it was changed or cut off`, {
          run: match,
        });
      }
    },
  };
}

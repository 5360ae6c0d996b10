import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Course, courseOfBars, includesDays, joinCourses, sameCourse } from '../../engine/quality/index.js';
import type { BarSeries } from '../../engine/series/index.js';
import type { SameBars } from '../../engine/sweep/index.js';
import { addFile, makeFolder, replaceFile } from '../files.js';

interface KnownBars extends SameBars {
  /** The names of an asset and of bars, which are not remembered, for a caller that cannot wait. */
  namesNow(asset: string, bars: BarSeries): readonly string[];
}

/** The asset of bars that were given without one. */
const UNNAMED = 'UNNAMED';
const COURSE = '.course';

interface Known {
  /** By asset, then by file. */
  readonly courses: Map<string, Map<string, Course>>;
  readonly names: Map<string, Set<string>>;
  /** What waits for a home that does not exist yet. */
  readonly unsaved: (() => Promise<void>)[];
}

/** Of this process, by home. */
const knownIn = new Map<string, Known>();
/** The names under which the bars of a column of closes count, by home and asset. */
const metBefore = new WeakMap<Float64Array, Map<string, string>>();

/**
 * Courses in `home/same-bars/courses`, files of daily closes that are named `ASSET@ID`, and an empty
 * file `names/ASSET/OTHER` for each other name of an asset. A home that does not exist is not made
 * for them: they wait until something is recorded in it.
 */
export function openSameBars(home: string): KnownBars {
  const coursesIn = join(home, 'same-bars', 'courses');
  const namesIn = (asset: string): string => join(home, 'same-bars', 'names', encodeURIComponent(asset));
  const known: Known = knownIn.get(home) ?? { courses: new Map(), names: new Map(), unsaved: [] };
  knownIn.set(home, known);

  const namesOf = (asset: string) => {
    const kept = filesIn(namesIn(asset));
    return [...new Set([asset, ...(known.names.get(asset) ?? []), ...kept.map(decodeURIComponent)])];
  };
  const remember = (asset: string, file: string, course: Course) =>
    known.courses.set(asset, (known.courses.get(asset) ?? new Map<string, Course>()).set(file, course));
  /** Reads what other processes have added, of one asset or of all. */
  const refresh = (only?: string) => {
    for (const name of filesIn(coursesIn)) {
      const asset = decodeURIComponent(name.split('@')[0] ?? '');
      if (!name.endsWith(COURSE) || (only ?? asset) !== asset || known.courses.get(asset)?.has(name)) continue;
      const course = readCourse(join(coursesIn, name));
      if (course !== null) remember(asset, name, course);
    }
  };
  const keep = async (write: () => Promise<void>) => {
    known.unsaved.push(write);
    if (existsSync(home)) await saveSameBars(home).catch(() => {}); // a run needs no home that it can write to
  };
  const link = async (asset: string, other: string) => {
    known.names.set(asset, (known.names.get(asset) ?? new Set()).add(other));
    await keep(async () => {
      await makeFolder(namesIn(asset));
      await addFile(join(namesIn(asset), encodeURIComponent(other)), (aside) => writeFile(aside, ''));
    });
  };
  /** @param joined the file of a course that this one holds */
  const add = async (asset: string, course: Course, joined: string | undefined) => {
    const file = `${encodeURIComponent(asset)}@${randomUUID()}${COURSE}`;
    remember(asset, file, course);
    await keep(async () => {
      await makeFolder(coursesIn);
      await replaceFile(join(coursesIn, file), (aside) => writeFile(aside, courseBytes(course)));
      if (joined !== undefined) await rm(join(coursesIn, joined), { force: true });
    });
  };
  const namesLike = (course: Course): string[] =>
    [...known.courses].flatMap(([name, courses]) =>
      [...courses.values()].some((one) => sameCourse(one, course) !== 0) ? [name] : [],
    );
  const hasMet = (asset: string, course: Course): boolean => {
    const has = (one: Course) => includesDays(one, course) && sameCourse(one, course) !== 0;
    const isKnown = () => [...(known.courses.get(asset)?.values() ?? [])].some(has);
    if (isKnown()) return true;
    refresh(asset);
    return isKnown();
  };
  /** The asset, or what unnamed bars are called. */
  const meet = async (asset: string, course: Course): Promise<string> => {
    if (sameCourse(course, course) === 0) return asset; // too short to tell, or without a move
    if (hasMet(asset, course)) return asset;
    refresh();
    const name = asset === UNNAMED ? (namesLike(course)[0] ?? `${UNNAMED}-${courseDigest(course)}`) : asset;
    const linkAll = async () => {
      for (const other of namesLike(course)) {
        if (other === name || known.names.get(name)?.has(other)) continue;
        await link(name, other);
        await link(other, name);
      }
    };
    await linkAll();
    if (hasMet(name, course)) return name;
    const own = [...(known.courses.get(name) ?? [])];
    const [file, before] = own.find(([, one]) => sameCourse(one, course) === 1) ?? [];
    await add(name, before === undefined ? course : joinCourses(before, course), file);
    refresh(); // another process may have met a copy meanwhile: one of the two finds the other
    await linkAll();
    return name;
  };
  return {
    namesOf: async (asset) => namesOf(asset),
    namesNow(asset, bars) {
      const course = courseOfBars(bars);
      if (hasMet(asset, course)) return namesOf(asset);
      refresh();
      return [...new Set([...namesOf(asset), ...namesLike(course)])];
    },
    async meet(asset, bars) {
      const met = metBefore.get(bars.close) ?? new Map<string, string>();
      metBefore.set(bars.close, met);
      const key = `${home} ${asset}`;
      const name = met.get(key);
      if (name !== undefined) return name;
      const course = courseOfBars(bars);
      const found = await meet(asset, course);
      met.set(key, found);
      return found;
    },
  };
}

/** Writes what waits, before something is recorded in a home. */
export async function saveSameBars(home: string): Promise<void> {
  const known = knownIn.get(home);
  const writes = known?.unsaved.splice(0) ?? [];
  try {
    for (; writes[0] !== undefined; writes.shift()) await writes[0]();
  } finally {
    known?.unsaved.unshift(...writes);
  }
}

const courseDigest = ({ logs }: Course): string =>
  createHash('sha256').update(bytes(logs)).digest('hex').slice(0, 8).toUpperCase();

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => !name.startsWith('.'));
}

const bytes = ({ buffer, byteOffset, byteLength }: Float64Array): Buffer => Buffer.from(buffer, byteOffset, byteLength);

/** Days, then logarithms. */
const courseBytes = ({ days, logs }: Course): Buffer => Buffer.concat([bytes(days), bytes(logs)]);

/** Null for one that was joined with another meanwhile. */
function readCourse(path: string): Course | null {
  if (!existsSync(path)) return null;
  const values = new Float64Array(Uint8Array.from(readFileSync(path)).buffer);
  const count = values.length / 2;
  return { days: values.subarray(0, count), logs: values.subarray(count) };
}

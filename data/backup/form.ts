import { z } from 'zod';

/** Names in an archive of a backup, and in a home. */

export const FORM = 1;
export const MANIFEST = 'manifest.json';
/** The dump of the state, compressed. */
export const STATE = 'state.jsonl.gz';
/** Folder of what lies in the home beside the state. */
export const FILES = 'home';

const fileShape = z.strictObject({
  /** Path in the archive. */
  path: z.string(),
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

export const manifestShape = z.strictObject({
  form: z.literal(FORM),
  /** Version of Barline. */
  version: z.string().max(80),
  createdAt: z.iso.datetime(),
  files: z.array(fileShape).min(1),
});

export type BackupFile = Readonly<z.infer<typeof fileShape>>;

export interface Manifest extends Readonly<Omit<z.infer<typeof manifestShape>, 'files' | 'form'>> {
  readonly form: number;
  readonly files: readonly BackupFile[];
}

/** What a home holds for one process or for a moment: its store, locks, downloads, files aside. */
export const isPassing = (name: string): boolean =>
  /^(state|fetch|\.state-new|operator\.sock|before-restore-.*)$|^\.aside-|^\.probe-|^owner-|^\.backup-|^\.restore-|\.lock(\..*)?$|\.(guard|break)$/i.test(
    name,
  );

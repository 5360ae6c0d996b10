/** Names in an archive of a backup, and in a home. */

export const FORM = 1;
export const MANIFEST = 'manifest.json';
/** The dump of the state, compressed. */
export const STATE = 'state.jsonl.gz';
/** Folder of what lies in the home beside the state. */
export const FILES = 'home';

export interface BackupFile {
  /** Path in the archive. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface Manifest {
  readonly form: number;
  /** Version of Barline. */
  readonly version: string;
  readonly createdAt: string;
  readonly files: readonly BackupFile[];
}

/** What a home holds for one process or for a moment: its store, locks, downloads, files aside. */
export const isPassing = (name: string): boolean =>
  /^(state|fetch|\.state-new|operator\.sock|before-restore-.*)$|^\.aside-|^\.probe-|^owner-|^\.backup-|^\.restore-|\.lock(\..*)?$|\.(guard|break)$/.test(
    name,
  );

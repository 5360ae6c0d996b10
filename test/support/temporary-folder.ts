import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A new folder that is deleted when the process ends. */
export function temporaryFolder(purpose: string): string {
  const folder = mkdtempSync(join(tmpdir(), `barline-${purpose}-`));
  folders.push(folder);
  return folder;
}

import { relative } from 'node:path';
import { quote } from '../engine/errors.js';
import type { Environment } from './environment.js';

/** What the operating system refuses to a user, in words. */
const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'the operation is not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left',
  EDQUOT: 'the quota is used up',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'a file of that name is in the way',
  EISDIR: 'it is a folder',
};

/**
 * One line for what a user can mend: a path that cannot be read or written, or a port in use, with
 * the setting that names it. Null for any other error, which is a bug.
 */
export async function systemFault(error: unknown, environment: Environment): Promise<string | null> {
  const { code = '', syscall, path, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE' && syscall === 'listen') return portInUse(error as Error, environment);
  // Folders above are made first, so the file system itself refuses to have one there.
  const reason = code === 'ENOENT' && syscall === 'mkdir' ? 'no folder can be made there' : reasons[code];
  if (reason === undefined)
    return /permission denied|read-only file system/i.test(message ?? '') ? writing(error, environment) : null;
  if (path === undefined) return null;
  // The home itself may be missing, and so may folders above it.
  const isOfHome = isWithin(environment.home, path) || (syscall === 'mkdir' && isWithin(path, environment.home));
  if (isOfHome) return `BARLINE_HOME ${quote(environment.home)} cannot be used: ${reason} (${syscall} ${quote(path)})`;
  return `${quote(path)} cannot be ${syscall === 'open' || syscall === 'scandir' ? 'opened' : 'written'}: ${reason}`;
}

function isWithin(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside === '' || !/^(\.\.|[/\\]|[A-Z]:)/.test(inside);
}

/** Libraries that write files say the reason in their message only. */
function writing(error: unknown, { home }: Environment): string {
  const { message } = error as Error;
  return message.includes(home) ? `BARLINE_HOME ${quote(home)} cannot be used: ${message}` : message;
}

async function portInUse(error: Error, environment: Environment): Promise<string> {
  const port = /:(\d+)\s*$/.exec(error.message)?.[1];
  const settings = await environment.listSettings().catch(() => []);
  const setting = settings.find(({ name, value }) => name.endsWith('_PORT') && String(value) === port)?.name;
  const hint = setting === undefined ? '' : `; ${setting} sets another`;
  return `port ${port} is in use${hint} (${error.message})`;
}

import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * The absolute path of a folder that a setting names. A leading `~` is the home of the user, since
 * a setting from a `.env` or unit file has passed through no shell.
 */
export const resolveFolder = (text: string): string =>
  /^~(?=$|[/\\])/.test(text) ? join(homedir(), text.slice(1)) : resolve(text);

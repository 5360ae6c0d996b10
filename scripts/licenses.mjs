import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

/** The licences of packages that a bundle contains, as one text. */
export const licenses = (names) =>
  [...new Set(names)]
    .sort()
    .map((name) => `${name}\n\n${license(name)}`)
    .join('\n');

/** The packages whose files are inputs of an esbuild bundle. */
export const packagesIn = ({ inputs }) =>
  Object.keys(inputs).flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);

export const isInstalled = (name) => existsSync(resolve(root, `node_modules/${name}`));

function license(name) {
  const home = resolve(root, `node_modules/${name}`);
  const file = readdirSync(home).find((each) => /^licen[sc]e/i.test(each));
  return file === undefined
    ? `${JSON.parse(readFileSync(resolve(home, 'package.json'), 'utf8')).license}\n`
    : readFileSync(resolve(home, file), 'utf8');
}

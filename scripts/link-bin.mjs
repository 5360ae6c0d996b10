// Links `barline` into node_modules/.bin of a checkout, so that `npx barline` runs the compiled
// command at once. Without the link, npx would install the checkout into its own cache, which runs
// `prepare` again and is slow.
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';

const folder = new URL('../node_modules/.bin/', import.meta.url);
const link = new URL('barline', folder);

chmodSync(new URL('../dist/bundle/barline.js', import.meta.url), 0o755);
if (existsSync(new URL('../node_modules/', import.meta.url))) {
  mkdirSync(folder, { recursive: true });
  rmSync(link, { force: true });
  symlinkSync('../../dist/bundle/barline.js', link);
}

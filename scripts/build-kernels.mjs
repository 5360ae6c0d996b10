/**
 * Writes the structures of a run for AssemblyScript, and the compiled kernels as a module, because
 * the engine reads no files. The module names its sources and their hash: a compile takes 8 s of a
 * processor, and most changes of the engine reach none of them.
 */
import { createHash } from 'node:crypto';
import { utimesSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { compileKernels, runLayout, textOf } from './compile-kernels.mjs';

const root = resolve(import.meta.dirname, '..');
const binary = resolve(root, 'engine/simd/binary.ts');
/** What the result depends on beside the sources. */
const compiler = ['scripts/compile-kernels.mjs', 'node_modules/assemblyscript/package.json'];

const layout = await runLayout();
if (textOf(layout.path) !== layout.text) writeFileSync(resolve(root, layout.path), layout.text);
const [, named, hash] =
  /^\/\/ Written from (.+)\n\/\/ ([0-9a-f]{64})\n/.exec(textOf('engine/simd/binary.ts') ?? '') ?? [];
if (named !== undefined && hash === hashOf(named.split(' '))) {
  utimesSync(binary, new Date(), new Date()); // newer than all that a build compares it with
} else {
  const { text, sources } = await compileKernels();
  writeFileSync(binary, `// Written from ${sources.join(' ')}\n// ${hashOf(sources)}\n${text}`);
}

function hashOf(sources) {
  const hash = createHash('sha256');
  for (const path of [...compiler, ...sources]) hash.update(`${path}\n${textOf(path)}\n`);
  return hash.digest('hex');
}

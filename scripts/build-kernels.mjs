/**
 * Writes the structures of a run for AssemblyScript, and the compiled kernels as a module, because
 * the engine reads no files.
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { compileKernels, runLayout } from './compile-kernels.mjs';

const root = resolve(import.meta.dirname, '..');
const layout = await runLayout();
writeFileSync(resolve(root, layout.path), layout.text);
const { text } = await compileKernels();
writeFileSync(resolve(root, 'engine/simd/binary.ts'), text);

/**
 * Compiles the WebAssembly kernels of the engine and writes them down as a module, because the engine reads no files.
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import asc from 'assemblyscript/asc';

const root = resolve(import.meta.dirname, '..');
let binary;
const { error, stderr } = await asc.main(
  [
    'engine/simd/assembly/index.ts',
    ...['--outFile', 'kernels.wasm', '--runtime', 'stub', '--noAssert', '-O3', '--converge'],
    // They work in the memory of a series, which threads share, and own nothing in it.
    ...['--importMemory', '--sharedMemory', '--maximumMemory', '65536', '--enable', 'simd,threads,bulk-memory'],
    ...['--baseDir', root, '--noExportMemory'],
  ],
  {
    writeFile: (name, contents) => {
      if (name.endsWith('.wasm')) binary = contents;
    },
  },
);
if (error) {
  console.error(String(stderr));
  throw error;
}
const text = `// Written by scripts/build-kernels.mjs from engine/simd/assembly.\nexport const binary: string = '${Buffer.from(binary).toString('base64')}';\n`;
writeFileSync(resolve(root, 'engine/simd/binary.ts'), text);

/**
 * Compiles the WebAssembly kernels of the engine. Their sources are engine/simd/assembly, the
 * engine files that are AssemblyScript as well as TypeScript, and the structures of a run, which
 * come from engine/sweep/run-layout.ts.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { build } from 'esbuild';

const root = resolve(import.meta.dirname, '..');
const layout = 'engine/simd/assembly/run-layout.ts';

/** The text of the structures, and the path from which the other sources import it. */
export async function runLayout() {
  const { outputFiles } = await build({
    ...{ absWorkingDir: root, entryPoints: ['engine/sweep/run-layout.ts'], bundle: true, write: false },
    ...{ platform: 'node', format: 'esm', logLevel: 'warning' },
  });
  const code = Buffer.from(outputFiles[0].contents).toString('base64');
  const { assemblyText } = await import(`data:text/javascript;base64,${code}`);
  return { path: layout, text: assemblyText() };
}

/**
 * @param {Readonly<Record<string, string>>} texts replace files, by their path from the root
 * @returns {Promise<{ text: string, sources: string[] }>} the module that holds the binary, and the
 *   files compiled
 * @throws {Error} with the messages of the compiler
 */
export async function compileKernels(texts = {}) {
  const { default: asc } = await import('assemblyscript/asc'); // slow to load
  const sources = [];
  let binary;
  const { error, stderr } = await asc.main(
    [
      'engine/simd/assembly/index.ts',
      ...['--outFile', 'kernels.wasm', '--runtime', 'stub', '--noAssert', '-O3', '--converge'],
      // The kernels work in the memory of a series, which threads share, and own no part of it.
      ...['--importMemory', '--sharedMemory', '--maximumMemory', '65536', '--enable', 'simd,threads,bulk-memory'],
      ...['--baseDir', root, '--noExportMemory'],
    ],
    {
      readFile: (name) => {
        const text = texts[name] ?? textOf(name);
        if (text !== null) sources.push(name);
        return text;
      },
      writeFile: (name, contents) => {
        if (name.endsWith('.wasm')) binary = contents;
      },
    },
  );
  if (error) throw new Error(`the kernels do not compile:\n${stderr}`);
  const base64 = Buffer.from(binary).toString('base64');
  return { text: `export const binary: string = '${base64}';\n`, sources };
}

/** Null for a missing file: the compiler tries several paths for each import. */
export function textOf(name) {
  try {
    return readFileSync(resolve(root, name), 'utf8');
  } catch {
    return null;
  }
}

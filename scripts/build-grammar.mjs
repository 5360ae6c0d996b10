/**
 * Compiles the grammar of the assistant and writes it as a module: reading the grammar takes 40 times
 * as long as reading what it was compiled to.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as ohm from 'ohm-js';
import { tsImport } from 'tsx/esm/api';

const root = resolve(import.meta.dirname, '..');
const file = resolve(root, 'service/assistant/reading/compiled-grammar.ts');
const { grammar, nameRules } = await tsImport('../service/assistant/reading/grammar.ts', import.meta.url);

/** A word in quotes is a whole word of the grammar. */
const words = /"([a-z][a-z_ ]*|\dm|\d\dm|\dh|\dd)"/g;
// No text has the character by which a rule without a name stands.
const rules = [...nameRules.map((rule) => `${rule} = "\\u{0}"`), 'w<x> = x ~wordish'];
const source = grammar.replace(words, 'w<"$1">').replace(/\}\s*$/, `${rules.join('\n')}\n}`);
const text = `// Written by scripts/build-grammar.mjs from grammar.ts.
export const recipe: unknown = ${ohm.grammar(source).toRecipe()};
`;
// An unchanged file keeps its modification time, so the compiler does not run again.
if (readOr(file) !== text) writeFileSync(file, text);

function readOr(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

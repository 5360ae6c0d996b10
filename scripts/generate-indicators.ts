/**
 * Writes the indicators of the library, a function for each function of the engine, with the names
 * of its arguments and of the columns that it reads as types.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Column, source } from '../engine/indicators/column.js';
import { type IndicatorFunction, indicatorFunctions } from '../engine/indicators/functions.js';
import { priceColumns } from '../engine/series/bars.js';

const camelCase = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const columnSources = (column: Column): string[] =>
  column.kind === 'source' ? [column.name] : column.inputs.flatMap(columnSources);

function declaration([name, { meaning, takesColumn, params, build }]: [string, IndicatorFunction]): string {
  const args = `[${params.map((param) => `${camelCase(param.name)}: number`).join(', ')}]`;
  const sources = columnSources(build(source('x'), ...params.map(({ min }) => min)));
  const reads = priceColumns.filter((column) => sources.includes(column)).map((column) => `'${column}'`);
  const type = takesColumn ? `ofColumn<${args}>` : `ofBars<${args}, ${reads.join(' | ')}>`;
  const text = `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}`;
  return `/** ${text}. */\nexport const ${camelCase(name)} = ${type}('${name}');\n`;
}

const folder = resolve(import.meta.dirname, '../library/indicators/generated');
mkdirSync(folder, { recursive: true });
writeFileSync(
  resolve(folder, 'functions.ts'),
  `import { ofBars, ofColumn } from '../indicator.js';

/*
 * Written by scripts/generate-indicators.ts. \`atr(bars, 14)\` gives one value per bar, and
 * \`rsi(close, 14)\` one per value of the column, NaN where there is none yet; \`atr.stream(14)\` and
 * \`rsi.stream(14)\` take one bar or one value at a time.
 */

${[...indicatorFunctions].map(declaration).join('')}`,
);

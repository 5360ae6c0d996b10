/** Writes the table of environment variables into docs/operating.md. Run it after a build. */
import { readFileSync, writeFileSync } from 'node:fs';
import { settingsTable } from '../dist/service/settings/table.js';

const page = new URL('../docs/operating.md', import.meta.url);
const marks = /(<!-- settings: [^\n]*-->\n)[\s\S]*(<!-- \/settings -->)/;
writeFileSync(
  page,
  readFileSync(page, 'utf8').replace(marks, (_, from, to) => `${from}\n${settingsTable()}\n\n${to}`),
);

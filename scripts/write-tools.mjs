/** Writes the list of tools into docs/mcp.md. Run it after a build. */
import { readFileSync, writeFileSync } from 'node:fs';
import { toolsPage } from '../dist/mcp/toolbox.js';

const page = new URL('../docs/mcp.md', import.meta.url);
const marks = /(<!-- tools: [^\n]*-->\n)[\s\S]*(<!-- \/tools -->)/;
writeFileSync(
  page,
  readFileSync(page, 'utf8').replace(marks, (_, from, to) => `${from}\n${toolsPage()}\n\n${to}`),
);

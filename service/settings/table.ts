import { listSettings } from './config.js';

/** The environment variables as a table of Markdown, for `docs/operating.md`. */
export function settingsTable(): string {
  const rows = listSettings({}).map(({ name, default: usual, form, what, isSecret }) => {
    const described = [what, ...(isSecret ? ['Secret.'] : [])].join(' ').replaceAll('|', '\\|');
    const link = `[\`${name}\`](reference/settings.md#${name.toLowerCase()})`;
    return `| ${link} | ${defaultText(name, usual)} | ${form ?? ''} | ${described} |`;
  });
  return ['| variable | default | form | what |', '|---|---|---|---|', ...rows].join('\n');
}

function defaultText(name: string, usual: unknown): string {
  if (name === 'BARLINE_HOME') return '`.barline`'; // resolved against the working folder
  if (usual === null || (Array.isArray(usual) && usual.length === 0)) return '';
  return `\`${String(usual)}\``;
}

import { setNames, toolSet } from './tool-sets.js';
import { openToolbox } from './toolbox.js';

/** The tools as Markdown, for `docs/mcp.md`. */
export function toolsPage(): string {
  const tools = openToolbox('');
  const sections = setNames.map((set) => {
    const { about, isDefault } = toolSet(set);
    const rows = tools
      .filter((tool) => tool.set === set)
      .map(({ name, title, hints }) => `| \`${name}\` | ${title} | ${changes(hints)} |`);
    const heading = `### ${set}\n\n${about}${isDefault ? '' : '; only where a client asks for it'}`;
    return [`${heading}\n`, '| tool | what | changes |', '|---|---|---|', ...rows].join('\n');
  });
  return sections.join('\n\n');
}

const changes = ({ readOnlyHint, destructiveHint }: ReturnType<typeof openToolbox>[number]['hints']): string =>
  readOnlyHint ? 'nothing' : destructiveHint ? 'what is stored' : 'adds';

import { ApiError, clip } from '../rpc/index.js';
import { longTools } from './long-tools.js';
import { methodTools, openBook } from './method-tools.js';
import type { Tool } from './tool.js';
import { type SetName, setNames, toolSet } from './tool-sets.js';

/** All tools, in the order of their sets. */
export function openToolbox(version: string): readonly Tool[] {
  const book = openBook(version);
  const tools = [...longTools(book), ...methodTools(book)];
  return setNames.flatMap((set) => tools.filter((tool) => tool.set === set));
}

/** What a client may write to get every set. */
const ALL = 'all';

/**
 * The sets that a client chose.
 * @param text names separated by commas; null for the sets of a client that does not choose
 * @throws ApiError VALIDATION_ERROR that names an unknown set
 */
export function chosenSets(text: string | null): readonly SetName[] {
  if (text === null) return setNames.filter((name) => toolSet(name).isDefault);
  const names = text.split(',').map((name) => name.trim());
  if (names.includes(ALL)) return setNames;
  const unknown = names.find((name) => !setNames.some((known) => known === name));
  if (unknown !== undefined) {
    const message = `toolsets must be ${[ALL, ...setNames].join(', ')}, was ${clip(unknown, 60)}`;
    throw new ApiError('VALIDATION_ERROR', message, { field: 'toolsets' });
  }
  return setNames.filter((name) => names.includes(name));
}

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

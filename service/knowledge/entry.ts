/** What the reference has a page about. */
type EntryKind = 'signal' | 'indicator' | 'metric' | 'setting' | 'error';

/** A page of the reference, made from a registry. */
export interface Entry {
  readonly kind: EntryKind;
  /** As the registry has it. */
  readonly name: string;
  readonly title: string;
  /** One sentence or two, as Markdown. */
  readonly summary: string;
  readonly parts: readonly { readonly title: string; readonly text: string }[];
  readonly tags: readonly string[];
  /** Further words by which a reader may look for it. */
  readonly words: string;
  /** The file of `docs/reference` that has it. */
  readonly file: string;
}

export const makeSlug = (kind: EntryKind, name: string): string => `${kind}-${name.toLowerCase()}`;

/** A list of facts; those without a value are left out. */
export const facts = (rows: Readonly<Record<string, string | null>>): string =>
  Object.entries(rows)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `- ${name}: ${value}`)
    .join('\n');

export const code = (text: unknown): string => `\`${typeof text === 'string' ? text : JSON.stringify(text)}\``;

export const sentence = (text: string): string => {
  const trimmed = text.trim();
  const end = /[.!?]$/.test(trimmed) ? '' : '.';
  // A value, such as v1, keeps its form.
  const first = /^\p{L}+(?![\p{L}\d_])/u.test(trimmed) ? trimmed.charAt(0).toUpperCase() : trimmed.charAt(0);
  return `${first}${trimmed.slice(1)}${end}`;
};

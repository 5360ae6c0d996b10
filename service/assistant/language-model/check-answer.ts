import { unknownNames } from './check-names.js';
import { checkNumbers } from './check-numbers.js';
import type { Evidence } from './evidence.js';
import { ID, plainSigns } from './read-numbers.js';

const ANSWER_CHARACTERS_MAX = 8_000;
/** Share of letters that may be of another script than Latin: a coin or a name. */
const OTHER_SCRIPTS_MAX = 0.1;

const LINK = /https?:|www\.|!\[|\]\(|<\w[^<>]*>/i;

/**
 * What is wrong with an answer, as sentences for its author: names that the registry does not have,
 * figures that no run has, links, another language. Empty where nothing is.
 */
export function problemsOf(answer: string, evidence: Evidence): string[] {
  const text = plainSigns(answer);
  if (text.trim() === '') return ['The answer is empty.'];
  if (text.length > ANSWER_CHARACTERS_MAX) {
    return [`The answer has ${text.length} characters; at most ${ANSWER_CHARACTERS_MAX} are allowed.`];
  }
  const problems: string[] = [];
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (letters - latin > OTHER_SCRIPTS_MAX * letters) problems.push('Write the answer in English.');
  if (LINK.test(text)) problems.push('Leave out links, pictures and tags.');
  for (const id of new Set(text.match(ID) ?? [])) {
    if (!evidence.hasReturned(id)) problems.push(`No tool returned the id ${id}.`);
  }
  problems.push(...unknownNames(text, evidence).map((name) => `${name} is not a signal of the registry.`));
  return [
    ...problems,
    ...checkNumbers(
      text.replace(ID, (id) => '_'.repeat(id.length)),
      evidence,
    ),
  ];
}

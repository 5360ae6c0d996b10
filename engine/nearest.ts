import { distance } from 'fastest-levenshtein';
import { clip } from './text.js';

/**
 * The known name closest to a mistyped one. If no name is close enough, the first one that begins
 * with the text; else null.
 */
export function nearestName(name: string, known: Iterable<string>): string | null {
  const wanted = clip(name.toLowerCase(), 100);
  let best: string | null = null;
  let bestDistance = Math.max(2, Math.floor(wanted.length / 2)) + 1;
  let beginning: string | null = null;
  for (const candidate of known) {
    const lower = candidate.toLowerCase();
    const candidateDistance = distance(wanted, lower);
    if (candidateDistance < bestDistance) {
      best = candidate;
      bestDistance = candidateDistance;
    }
    if (wanted !== '' && lower.startsWith(wanted)) beginning ??= candidate;
  }
  return best ?? beginning;
}

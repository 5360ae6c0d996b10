import { distance } from 'fastest-levenshtein';

/** The known name closest to a mistyped one, or null when none is close enough to be meant. */
export function nearestName(name: string, known: Iterable<string>): string | null {
  const wanted = name.toLowerCase().slice(0, 100);
  let best: string | null = null;
  let bestDistance = Math.max(2, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of known) {
    const candidateDistance = distance(wanted, candidate.toLowerCase());
    if (candidateDistance < bestDistance) {
      best = candidate;
      bestDistance = candidateDistance;
    }
  }
  return best;
}

import { checkSeam, type HeldBars, type Stretch, withoutHeld } from './held.js';
import { type CheckedPage, checkPage } from './page.js';
import type { PartFile } from './part-file.js';
import { type BarRow, ProviderFault } from './provider.js';

interface PagesToFetch {
  /** How messages name the source. */
  readonly label: string;
  readonly stretches: readonly Stretch[];
  readonly intervalMs: number;
  readonly pageBarsMax: number;
  readonly held: HeldBars | null;
  /** The pages of an earlier run; new ones are appended. */
  readonly part: PartFile;
  readonly fetchPage: (fromMs: number, limit: number) => Promise<readonly BarRow[]>;
  /** Makes a request, with retries. */
  readonly ask: <T>(question: () => Promise<T>) => Promise<T>;
  readonly onPage: (progress: { readonly done: number; readonly bars: number }) => Promise<void>;
}

/**
 * Fetches page after page, each from the end of the last one, and saves every page before it asks
 * for the next. It asks once more for an empty page; an empty answer again means a hole, and the
 * next page begins after it.
 */
export async function fetchPages(work: PagesToFetch): Promise<{ rows: readonly BarRow[]; pages: number }> {
  const { stretches, intervalMs, pageBarsMax, held, part, label, onPage } = work;
  const rows: BarRow[] = part.pages.flatMap((page) => page.rows);
  const lastPage = part.pages.at(-1);
  const totalMs = stretches.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  let doneMs = 0;
  let pages = 0;
  for (const [number, { fromMs, toMs, seamMs }] of stretches.entries()) {
    const resumed = lastPage?.stretch === number ? lastPage : null;
    doneMs += toMs - fromMs;
    if (lastPage !== undefined && number < lastPage.stretch) continue;
    let nextMs = resumed?.nextMs ?? fromMs;
    let isSeamChecked = seamMs === null || seamMs < nextMs;
    let wasEmpty = false;
    while (nextMs + intervalMs <= toMs) {
      const page = await askPage(work, nextMs, toMs, wasEmpty);
      pages++;
      const last = page.rows.at(-1);
      if (page.isLast) nextMs = toMs;
      else if (last !== undefined) nextMs = last[0] + intervalMs;
      else nextMs += pageBarsMax * intervalMs;
      wasEmpty = page.isEmpty;
      const fresh = withoutHeld(page.rows, held, label);
      if (!isSeamChecked && held !== null && seamMs !== null && seamMs < nextMs) {
        checkSeam(page.rows, seamMs, held, label);
        isSeamChecked = true;
      }
      const lastFresh = fresh.at(-1);
      if (lastFresh !== undefined) {
        await part.append({ stretch: number, nextMs: lastFresh[0] + intervalMs, rows: fresh });
        for (const row of fresh) rows.push(row);
      }
      await onPage({ done: (doneMs - Math.max(0, toMs - nextMs)) / totalMs, bars: rows.length });
    }
  }
  return { rows, pages };
}

async function askPage(work: PagesToFetch, fromMs: number, toMs: number, wasEmpty: boolean): Promise<CheckedPage> {
  const { label, intervalMs, pageBarsMax, fetchPage, ask } = work;
  let mayBeEmpty = wasEmpty; // of consecutive empty pages, only the first is asked for again
  return ask(async () => {
    const page = checkPage(await fetchPage(fromMs, pageBarsMax), { label, intervalMs, fromMs, closedMs: toMs });
    if (page.isEmpty && !mayBeEmpty) {
      mayBeEmpty = true;
      throw new ProviderFault('answer', `${label}: an empty page`);
    }
    return page;
  });
}

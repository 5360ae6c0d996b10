import { type EntryKind, slugOf } from '../entry.js';
import { GLOSSARY } from '../page.js';
import type { Asked } from './asked.js';
import { askedOfErrors } from './errors.js';
import { askedOfEvidenceGuides } from './evidence-guides.js';
import { askedOfGlossary } from './glossary.js';
import { askedOfIndicators } from './indicators.js';
import { askedOfMetrics } from './metrics.js';
import { askedOfPatternSignals } from './pattern-signals.js';
import { askedOfResearchGuides } from './research-guides.js';
import { askedOfRunSettings } from './run-settings.js';
import { askedOfServiceGuides } from './service-guides.js';
import { askedOfServiceSettings } from './service-settings.js';
import { askedOfSignals } from './signals.js';

const entries: readonly (readonly [EntryKind, Asked])[] = [
  ['signal', askedOfSignals],
  ['signal', askedOfPatternSignals],
  ['indicator', askedOfIndicators],
  ['metric', askedOfMetrics],
  ['setting', askedOfRunSettings],
  ['setting', askedOfServiceSettings],
  ['error', askedOfErrors],
];

const questionsOf = (text: string): readonly string[] =>
  text
    .split(';')
    .map((question) => question.replace(/\s+/g, ' ').trim())
    .filter((question) => question !== '');

let split: ReadonlyMap<string, readonly string[]> | null = null;

/** Questions by the page that answers them, or by a section of it: `faq`, `faq#fills`. */
export function askedQuestions(): ReadonlyMap<string, readonly string[]> {
  split ??= new Map([
    ...[askedOfResearchGuides, askedOfEvidenceGuides, askedOfServiceGuides]
      .flatMap((guides) => Object.entries(guides))
      .map(([place, text]) => [place, questionsOf(text)] as const),
    ...Object.entries(askedOfGlossary).map(([anchor, text]) => [`${GLOSSARY}#${anchor}`, questionsOf(text)] as const),
    ...entries.flatMap(([kind, asked]) =>
      Object.entries(asked).map(([name, text]) => [slugOf(kind, name), questionsOf(text)] as const),
    ),
  ]);
  return split;
}

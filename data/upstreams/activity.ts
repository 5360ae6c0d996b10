export interface UpstreamState {
  readonly name: string;
  readonly breaker: 'closed' | 'open' | 'half-open';
  /** The latest failure, until a call succeeds. */
  readonly fault: string | null;
}

/** How a question ended: by an answer, by an earlier one that is fresh or not, or by a fault. */
type QuestionEnd = 'answered' | 'kept' | 'stale' | 'failed';

/** What the questions to a provider came to since the start of the process. */
export interface UpstreamActivity {
  readonly questions: Readonly<Record<QuestionEnd, number>>;
  /** Time since its latest answer; null before the first. */
  readonly answerAgeMs: number | null;
}

/** A question in the words of a user. */
export interface HelpQuestion {
  readonly question: string;
  /** Slugs of pages each of which answers it. */
  readonly expect: readonly string[];
}

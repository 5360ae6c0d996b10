import type { SignalSpace } from './signal-space.js';

/** One signal with one of its combinations. */
export interface RuleChoice {
  readonly space: SignalSpace;
  readonly combination: number;
  /** Set in a random sample: no other run shares the space, so its text is not worth caching. */
  readonly isDrawn?: true;
}

import type { Sourced } from '../sourced.js';
import type { Question, Upstream } from '../upstream.js';

/**
 * Asks for a list that always exists, so a 404 is a fault of the provider.
 * @throws UpstreamFault
 */
export const askList = <T>(upstream: Upstream, question: Question<T>): Promise<Sourced<T>> =>
  // Null stands for an absent status.
  upstream.ask({ ...question, absentStatuses: [] }) as Promise<Sourced<T>>;

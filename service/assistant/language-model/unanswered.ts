/** The model gave no answer that may be sent. The message says why, for the user. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

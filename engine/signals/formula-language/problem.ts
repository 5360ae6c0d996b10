/** What is wrong with a formula, and where. */
export class FormulaProblem extends Error {
  /** @param position of the first character that is wrong, counted from 1 */
  constructor(
    readonly position: number,
    readonly problem: string,
  ) {
    super(`character ${position}: ${problem}`);
  }
}

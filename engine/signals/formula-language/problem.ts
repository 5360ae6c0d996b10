/** The error of a formula, with its position. */
export class FormulaProblem extends Error {
  /** @param position of the first character that is wrong, counted from 1 */
  constructor(
    readonly position: number,
    readonly problem: string,
  ) {
    super(`character ${position}: ${problem}`);
  }
}

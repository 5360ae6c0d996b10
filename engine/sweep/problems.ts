import { EngineError, mustBe } from '../errors.js';

/** Collects everything that is wrong with a sweep, so that its author sees all errors at once. */
export class Problems {
  readonly errors: string[] = [];
  readonly warnings: string[] = [];

  /** The result of the action, or undefined after noting its error. */
  attempt<T>(place: string, action: () => T): T | undefined {
    try {
      return action();
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.errors.push(place === '' ? error.message : `${place}: ${error.message}`);
      return undefined;
    }
  }

  error(message: string): void {
    this.errors.push(message);
  }

  warn(message: string): void {
    this.warnings.push(message);
  }

  /**
   * The value, or the lower bound after noting that the value is not a whole number within the
   * bounds.
   */
  integer(field: string, value: unknown, min: number, max: number): number {
    if (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max) return value as number;
    this.errors.push(mustBe(field, `a whole number ${min}..${max}`, value));
    return min;
  }

  /** Warns of unknown keys, which have no effect. */
  warnUnknown(place: string, record: object, known: readonly string[]): void {
    const unknown = Object.keys(record).filter((key) => !known.includes(key));
    if (unknown.length > 0) this.warn(`${place}: unknown ${unknown.join(', ')}, ignored`);
  }
}

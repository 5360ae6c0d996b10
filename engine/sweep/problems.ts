import { EngineError, mustBe } from '../errors.js';
import { unknownKeys, unknownKeyText } from '../unknown-keys.js';

/** Whether a key that nothing reads is an error, or only has no effect. */
export type UnknownKeys = 'refused' | 'warned';

/** Collects everything that is wrong with a sweep, so that its author sees all errors at once. */
export class Problems {
  readonly errors: string[] = [];
  readonly warnings: string[] = [];

  constructor(private readonly unknownKeys: UnknownKeys = 'warned') {}

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

  /** Refuses or warns of keys that nothing reads. */
  unknown(place: string, record: object, known: readonly string[], isRule = false): void {
    const found = unknownKeys(place, record, known, isRule);
    if (this.unknownKeys === 'refused') for (const key of found) this.error(unknownKeyText(key));
    else if (found.length > 0) this.warn(`${place}: unknown ${found.map(({ key }) => key).join(', ')}, ignored`);
  }
}

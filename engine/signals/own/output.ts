import { EngineError, errorMessage, quote } from '../../errors.js';
import { isoTime } from '../../series/time.js';

/** What a signal of one's own may return: one answer per bar. */
export type Answers = ArrayLike<boolean | number>;

const failed = (signal: string, message: string, details: object = {}): EngineError =>
  new EngineError('INVALID_DATA', `signal ${signal}: ${message}`, { signal, ...details });

const isAnswers = (value: unknown): value is Answers =>
  typeof value === 'object' && value !== null && Number.isInteger((value as { length?: unknown }).length);

/**
 * Writes the answers of `compute` as 0 and 1.
 * @throws INVALID_DATA naming the signal, and the bar where one is at fault
 */
export function writeAnswers(signal: string, compute: () => unknown, time: Float64Array, out: Float64Array): void {
  let answers: unknown;
  try {
    answers = compute();
  } catch (error) {
    const reason = errorMessage(error);
    throw failed(signal, `compute failed over ${out.length} bars: ${reason}`);
  }
  if (!isAnswers(answers)) {
    const promise = answers instanceof Promise ? ', and not asynchronous' : '';
    throw failed(signal, `compute must return one answer per bar${promise}, returned ${quote(answers)}`);
  }
  if (answers.length !== out.length) {
    throw failed(signal, `compute must return ${out.length} answers, one per bar, returned ${answers.length}`);
  }
  for (let t = 0; t < out.length; t++) {
    const answer = answers[t];
    if (answer === true || answer === 1) out[t] = 1;
    else if (answer === false || answer === 0) out[t] = 0;
    else {
      const text = typeof answer === 'number' ? String(answer) : quote(answer);
      throw failed(signal, `an answer must be true or false (1 or 0), was ${text} at bar ${t} (${isoTime(time[t])})`, {
        bar: t,
      });
    }
  }
}

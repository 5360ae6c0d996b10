import { EngineError } from '../engine/errors.js';
import { printJson, printJsonWithList } from './output.js';

export interface CurveOptions {
  readonly json?: boolean;
  readonly curve?: boolean;
}

/** The option of commands that print one result. A curve of a million bars is 105 MB of text. */
export const curveOption = ['--curve', 'with --json: the account at each close too, as `equity`'] as const;

/** @throws EngineError INVALID_FIELD where no curve would be printed */
export function checkCurve({ json, curve }: CurveOptions, isOfSeveral = false): void {
  if (curve !== true || (json === true && !isOfSeveral)) return;
  const reason = isOfSeveral ? 'must be left out with several assets' : 'needs --json';
  throw new EngineError('INVALID_FIELD', `curve ${reason}; --equity writes the curve to a file`, { field: 'curve' });
}

export const printResult = async (result: object, equity: Iterable<unknown>, { curve }: CurveOptions): Promise<void> =>
  curve === true ? printJsonWithList(result, 'equity', equity) : printJson(result);

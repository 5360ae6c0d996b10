import type { UseCasesOf } from '../use-cases.js';
import { type SieveDeps, scoreStrategies } from './score.js';

export const sieveMethods = (deps: SieveDeps): UseCasesOf<'Sieve'> => ({
  'Sieve.Score': (request) => scoreStrategies(request, deps),
});

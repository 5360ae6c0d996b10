import { type SieveDeps, scoreStrategies } from '../../service/sieve/index.js';
import type { HandlersOf } from '../calls.js';

export const sieveHandlers = (deps: SieveDeps): HandlersOf<'Sieve'> => ({
  'Sieve.Score': (request) => scoreStrategies(request, deps),
});

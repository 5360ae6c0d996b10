export { type SieveDeps, scoreStrategies } from './score.js';

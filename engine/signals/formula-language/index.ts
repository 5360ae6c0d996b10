export { readFormula } from './formula.js';
export { FormulaProblem } from './problem.js';

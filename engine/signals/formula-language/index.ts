export { readFormula, readValueFormula } from './formula.js';
export { FormulaProblem } from './problem.js';

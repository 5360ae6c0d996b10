export { readFormula, readValueFormula } from './formula.js';
export { FormulaProblem } from './reader.js';

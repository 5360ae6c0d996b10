export { generateSimulation } from './generate.js';
export { listSimulations } from './history.js';
export { simulationMethods } from './methods.js';
export { listPresets } from './presets.js';
export { runSimulation } from './run.js';
export type { SimulationDeps } from './services.js';

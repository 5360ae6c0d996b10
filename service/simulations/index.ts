export { generateSimulation } from './generate.js';
export { simulationMethods } from './methods.js';
export { listPresets } from './presets.js';
export { runSimulation } from './run.js';
export { SimulationStore } from './store.js';

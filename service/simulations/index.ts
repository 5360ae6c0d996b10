export { generateSimulation } from './generate.js';
export { listPresets } from './presets.js';
export { runSimulation } from './run.js';

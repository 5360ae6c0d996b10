import {
  generateSimulation,
  listPresets,
  listSimulations,
  runSimulation,
  type SimulationDeps,
} from '../../service/simulations/index.js';
import type { Handlers } from '../calls.js';

type Json = Readonly<Record<string, unknown>>;

export const simulationHandlers = (deps: SimulationDeps): Handlers => ({
  'Simulations.Run': (request: Json, { caller, signal }) => runSimulation(caller, request, deps, signal),
  'Simulations.Generate': (request: Json, { caller }) => generateSimulation(caller, request, deps),
  'Simulations.ListPresets': async () => ({ presets: listPresets() }),
  'Simulations.History': (request: Json, { caller }) => listSimulations(caller, request, deps),
});

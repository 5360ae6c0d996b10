import type { UseCasesOf } from '../use-cases.js';
import type { Experiments } from './experiments.js';
import type { ExperimentReports } from './reports.js';

export const experimentMethods = (experiments: Experiments, reports: ExperimentReports): UseCasesOf<'Experiments'> => ({
  'Experiments.Create': ({ config }, { caller }) => experiments.create(caller, config),
  'Experiments.List': (request, { caller }) => experiments.list(caller, request),
  'Experiments.Get': ({ experiment_id: id }, { caller }) => experiments.get(caller, id),
  'Experiments.Replace': ({ experiment_id: id = '', config }, { caller }) => experiments.replace(caller, id, config),
  'Experiments.Delete': ({ experiment_id: id }, { caller }) => experiments.remove(caller, id),
  'Experiments.Validate': ({ experiment_id: id }, { caller, signal }) => experiments.validate(caller, id, signal),
  'Experiments.Launch': ({ experiment_id: id }, { caller }) => experiments.launch(caller, id),
  'Experiments.Pause': ({ experiment_id: id }, { caller }) => experiments.pause(caller, id),
  'Experiments.Cancel': ({ experiment_id: id }, { caller }) => experiments.cancel(caller, id),
  'Experiments.GetHonesty': ({ experiment_id: id, ...ranking }, { caller, signal }) =>
    reports.honesty(caller, id, ranking, signal),
  'Experiments.GetReport': ({ experiment_id: id, ...ranking }, { caller, signal }) =>
    reports.page(caller, id, ranking, signal),
  'Experiments.WatchProgress': ({ experiment_id: id }, { caller, signal }) => experiments.watch(caller, id, signal),
});

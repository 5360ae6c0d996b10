import type { ExperimentReports, Experiments } from '../../service/experiments/index.js';
import type { HandlersOf } from '../calls.js';

export const experimentHandlers = (
  experiments: Experiments,
  reports: ExperimentReports,
): HandlersOf<'Experiments'> => ({
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

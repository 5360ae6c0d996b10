import type { ExperimentReports, Experiments, ListExperimentsRequest } from '../../service/experiments/index.js';
import type { Handlers } from '../calls.js';

interface Id {
  readonly experiment_id: string;
}

interface ReportRequest extends Id {
  readonly by?: string;
}

interface Configuration {
  readonly experiment_id?: string;
  readonly config?: Readonly<Record<string, unknown>>;
}

export const experimentHandlers = (experiments: Experiments, reports: ExperimentReports): Handlers => ({
  'Experiments.Create': ({ config = {} }: Configuration, { caller }) => experiments.create(caller, config),
  'Experiments.List': (request: ListExperimentsRequest, { caller }) => experiments.list(caller, request),
  'Experiments.Get': ({ experiment_id: id }: Id, { caller }) => experiments.get(caller, id),
  'Experiments.Replace': ({ experiment_id: id = '', config = {} }: Configuration, { caller }) =>
    experiments.replace(caller, id, config),
  'Experiments.Delete': ({ experiment_id: id }: Id, { caller }) => experiments.remove(caller, id),
  'Experiments.Validate': ({ experiment_id: id }: Id, { caller, signal }) => experiments.validate(caller, id, signal),
  'Experiments.Launch': ({ experiment_id: id }: Id, { caller }) => experiments.launch(caller, id),
  'Experiments.Pause': ({ experiment_id: id }: Id, { caller }) => experiments.pause(caller, id),
  'Experiments.Cancel': ({ experiment_id: id }: Id, { caller }) => experiments.cancel(caller, id),
  'Experiments.GetHonesty': ({ experiment_id: id, by }: ReportRequest, { caller, signal }) =>
    reports.honesty(caller, id, by, signal),
  'Experiments.GetReport': ({ experiment_id: id, by }: ReportRequest, { caller, signal }) =>
    reports.page(caller, id, by, signal),
  'Experiments.WatchProgress': ({ experiment_id: id }: Id, { caller, signal }) => experiments.watch(caller, id, signal),
});

export {
  computeMetrics,
  type MetricName,
  type Metrics,
  type MetricsInput,
  metricTable,
  withAliases,
} from './metrics.js';

import { loadTracing } from '../data/tracing/index.js';
import { EngineError } from '../engine/errors.js';

const packages = ['@opentelemetry/api', '@opentelemetry/sdk-trace-node', '@opentelemetry/exporter-trace-otlp-http'];

interface Sdk {
  readonly NodeTracerProvider: new (options: object) => { register(): void; shutdown(): Promise<void> };
  readonly BatchSpanProcessor: new (exporter: unknown) => unknown;
}
interface Exporter {
  readonly OTLPTraceExporter: new () => unknown;
}

/**
 * Sends spans to the collector that the variables `OTEL_EXPORTER_OTLP_*` of OpenTelemetry name.
 * @returns what sends the last spans and ends
 * @throws EngineError MISSING_FIELD naming the packages if one is not installed
 */
export async function startTraces(): Promise<() => Promise<void>> {
  const [, sdkName = '', exporterName = ''] = packages;
  const load = (name: string): Promise<unknown> =>
    import(name).catch(() => {
      const message = `BARLINE_TRACES=otlp needs packages that are not installed: npm install ${packages.join(' ')}`;
      throw new EngineError('MISSING_FIELD', message, { field: 'BARLINE_TRACES' });
    });
  const { NodeTracerProvider, BatchSpanProcessor } = (await load(sdkName)) as Sdk;
  const { OTLPTraceExporter } = (await load(exporterName)) as Exporter;
  const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())] });
  provider.register();
  await loadTracing();
  return () => provider.shutdown();
}

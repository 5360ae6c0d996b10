import { loadTracing } from '../data/tracing/index.js';
import { EngineError } from '../engine/errors.js';

const packages = [
  '@opentelemetry/api',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-node',
  '@opentelemetry/exporter-trace-otlp-http',
] as const;
type Package = (typeof packages)[number];

interface Resource {
  merge(other: Resource): Resource;
}
interface Resources {
  defaultResource(): Resource;
  resourceFromAttributes(attributes: Readonly<Record<string, string>>): Resource;
  detectResources(options: { readonly detectors: readonly unknown[] }): Resource;
  readonly envDetector: unknown;
}
interface Sdk {
  readonly NodeTracerProvider: new (options: object) => { register(): void; shutdown(): Promise<void> };
  readonly BatchSpanProcessor: new (exporter: unknown) => unknown;
}
interface Exporter {
  readonly OTLPTraceExporter: new () => unknown;
}

/**
 * Sends spans to the collector that the variables `OTEL_EXPORTER_OTLP_*` of OpenTelemetry name.
 * The service is `barline` there unless OTEL_SERVICE_NAME or OTEL_RESOURCE_ATTRIBUTES name it.
 *
 * @param load finds a package by its name
 * @returns what sends the last spans and ends
 * @throws EngineError MISSING_FIELD naming the packages if one is not installed
 */
export async function startTraces(
  version: string,
  load: (name: Package) => Promise<unknown> = (name) => import(name),
): Promise<() => Promise<void>> {
  const found = async (name: Package): Promise<unknown> => {
    try {
      return await load(name);
    } catch {
      const message = `BARLINE_TRACES=otlp needs packages that are not installed: npm install ${packages.join(' ')}`;
      throw new EngineError('MISSING_FIELD', message, { field: 'BARLINE_TRACES' });
    }
  };
  const { defaultResource, resourceFromAttributes, detectResources, envDetector } = (await found(
    '@opentelemetry/resources',
  )) as Resources;
  const { NodeTracerProvider, BatchSpanProcessor } = (await found('@opentelemetry/sdk-trace-node')) as Sdk;
  const { OTLPTraceExporter } = (await found('@opentelemetry/exporter-trace-otlp-http')) as Exporter;
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'barline', 'service.version': version }))
    // The detector reads the variables; the provider does not.
    .merge(detectResources({ detectors: [envDetector] }));
  const spanProcessors = [new BatchSpanProcessor(new OTLPTraceExporter())];
  const provider = new NodeTracerProvider({ resource, spanProcessors });
  provider.register();
  await loadTracing();
  return () => provider.shutdown();
}

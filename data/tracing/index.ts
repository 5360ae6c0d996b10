import type { Attributes, Context, Span, SpanKind } from '@opentelemetry/api';

/**
 * Spans by OpenTelemetry, once `loadTracing` has found its packages. Until then every function here
 * does nothing but the work, so a caller need not know whether traces are on.
 */
type Api = typeof import('@opentelemetry/api');
let api: Api | null = null;

/** Headers or metadata of a request, by name in lower case. */
type Carrier = Record<string, string>;

interface SpanRequest {
  readonly name: string;
  readonly kind?: keyof typeof SpanKind;
  readonly attributes?: Attributes;
  /** Reads a header that the caller sent, by name in lower case; its span becomes the parent. */
  readonly from?: (name: string) => string | undefined;
}

/** Starts to record spans. False where the API of OpenTelemetry is not installed. */
export async function loadTracing(): Promise<boolean> {
  api = await import('@opentelemetry/api').catch(() => null);
  return api !== null;
}

/** Stops to record spans. */
export function endTracing(): void {
  api = null;
}

/** Does the work in a span, which ends with it and holds the message of its failure. */
export async function traced<T>(request: SpanRequest, work: () => Promise<T>): Promise<T> {
  if (api === null) return work();
  const { span, within } = begin(api, request);
  try {
    return await api.context.with(within, work);
  } catch (error) {
    fail(api, span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** A span whose end the caller reports. */
interface OpenSpan {
  /** Calls `work` so that spans within are children of this one. */
  run(work: () => void): void;
  end(name: string, attributes: Attributes, error?: unknown): void;
}

const noSpan: OpenSpan = { run: (work) => work(), end() {} };

export function openSpan(request: SpanRequest): OpenSpan {
  if (api === null) return noSpan;
  const loaded = api;
  const { span, within } = begin(loaded, request);
  return {
    run: (work) => loaded.context.with(within, work),
    end(name, attributes, error) {
      span.updateName(name).setAttributes(attributes);
      if (error !== undefined) fail(loaded, span, error);
      span.end();
    },
  };
}

/** What a request must carry so that its receiver's spans belong to the current one. */
export function outgoing(): Carrier {
  const carrier: Carrier = {};
  if (api !== null) api.propagation.inject(api.context.active(), carrier);
  return carrier;
}

/** Names that `outgoing` may use. */
const carriedNames = ['traceparent', 'tracestate', 'baggage'] as const;

function begin(loaded: Api, { name, kind = 'INTERNAL', attributes = {}, from }: SpanRequest) {
  const active = loaded.context.active();
  const parent: Context = from === undefined ? active : loaded.propagation.extract(active, carriedBy(from));
  const span = loaded.trace.getTracer('barline').startSpan(name, { kind: loaded.SpanKind[kind], attributes }, parent);
  return { span, within: loaded.trace.setSpan(parent, span) };
}

function carriedBy(from: (name: string) => string | undefined): Carrier {
  const carrier: Carrier = {};
  for (const name of carriedNames) {
    const value = from(name);
    if (value !== undefined) carrier[name] = value;
  }
  return carrier;
}

/** The code alone: a message may hold what a caller sent. */
function fail(loaded: Api, span: Span, error: unknown): void {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  span.setStatus({ code: loaded.SpanStatusCode.ERROR, message: String(code ?? name ?? 'error') });
}

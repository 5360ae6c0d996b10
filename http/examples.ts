import { endpointOf, type MethodName } from '../contract/index.js';

type Values = Readonly<Record<string, string | number | boolean>>;

/** A request to try, as REST sends it. */
export interface Example {
  /** Values of parameters in the path that differ from the usual ones. */
  readonly path?: Values;
  readonly query?: Values;
  readonly body?: object;
}

/** The example of a method, which a test sends; empty for a request that its path says whole. */
export function methodExample(method: MethodName): Example {
  const { example, bindings } = endpointOf(method);
  const { path = '', body } = bindings[0] ?? {};
  const isInPath = (name: string): boolean => path.includes(`{${name}}`);
  const entries = Object.entries(example);
  const inPath = Object.fromEntries(entries.filter(([name]) => isInPath(name))) as Values;
  const beside = Object.fromEntries(entries.filter(([name]) => !isInPath(name))) as Values;
  return {
    ...(Object.keys(inPath).length > 0 && { path: inPath }),
    ...(Object.keys(beside).length > 0 &&
      (body === undefined ? { query: beside } : { body: exampleBody(beside, body) })),
  };
}

/** @param field the field that is the whole body, or `*` */
const exampleBody = (request: object, field: string): object =>
  field === '*' ? request : ((request as Readonly<Record<string, object>>)[field] ?? {});

import {
  type JsonSchema,
  type ObjectSchema,
  type OpenApiOperation,
  openApiDocument,
  type Route,
} from '../http/index.js';
import { presetNames, settingColumnNames, settingSchemas, topLevelFields } from '../rpc/index.js';

type Components = Readonly<Record<string, JsonSchema>>;

/** What the OpenAPI document says of a route, as schemas that stand alone. */
export interface Described {
  readonly summary: string;
  readonly description: string;
  readonly input: ObjectSchema;
  readonly output: ObjectSchema;
}

/** The field that holds an answer which is no object. */
export const WRAPPED = 'items';

/**
 * Stands in for the table of execution settings, which a dozen tools would repeat: agents read long
 * lists of tools with every task.
 */
const SETTINGS = 'ExecutionSettings';
const briefSettings = (names: string): JsonSchema => ({
  type: ['object', 'null'],
  additionalProperties: {},
  description: `Execution settings by name; one that is left out takes its default. knowledge_get_execution_defaults has the defaults, knowledge_search finds what each means. Names: ${names}`,
});

/** A sweep may have a portfolio in place of signals; its own tools say what it is. */
const PORTFOLIO = 'PortfolioDefinition';
const briefPortfolio: JsonSchema = {
  type: 'object',
  additionalProperties: {},
  description: 'A portfolio, as portfolios_run takes it',
};

/** One tool lists the names. */
const NAMES = `${Object.keys(settingSchemas).join(', ')}; runs also take preset (${presetNames.join(', ')})`;

/** A reader of the schemas of these routes: the very ones that check and document REST. */
export function schemaReader(routes: readonly Route[], version: string): (route: Route) => Described {
  const { paths, components } = openApiDocument(routes, version);
  return (route) => {
    const operation = paths[route.path]?.[route.method];
    const answer = operation?.responses[route.endpoint.status]?.content?.['application/json']?.schema;
    if (operation === undefined || answer === undefined) throw new Error(`${route.rpc} has no answer in JSON`);
    const { summary, description } = operation;
    const names = route.rpc === 'Backtests.Submit' ? NAMES : 'as in backtests_run';
    const shared = {
      ...components.schemas,
      [SETTINGS]: briefSettings(names),
      ...(route.rpc.startsWith('Experiments.') && { [PORTFOLIO]: briefPortfolio }),
    };
    return {
      ...{ summary, description },
      input: standingAlone(input(operation), shared),
      output: brief(output(answer, shared)),
    };
  };
}

/**
 * Path, query and body are one object; a test holds that no name stands in two of them. Settings
 * that REST takes at two places are shown at one.
 */
function input({ parameters = [], requestBody }: OpenApiOperation): ObjectSchema {
  const sent = parameters.filter((parameter) => parameter.in === 'path' || parameter.in === 'query');
  const { properties = {}, required: needed = [], additionalProperties = false } = bodySchema(requestBody);
  const fields = sent.map(({ name, description, schema }) => [
    name,
    { ...schema, ...(description && !settingColumnNames.includes(name) && { description }) },
  ]);
  const required = [...sent.filter((one) => one.required).map(({ name }) => name), ...needed];
  const isRun = EXECUTION in properties && !(ENTRY in properties);
  const isTwice = (name: string) => isRun && (name === COOLDOWN || topLevelNames.includes(name));
  const shown = Object.entries(properties)
    .filter(([name]) => !isTwice(name))
    .map(([name, schema]) => [name, textsOfJson.includes(name) ? { ...schema, type: ['string', 'object'] } : schema]);
  return {
    type: 'object',
    properties: Object.fromEntries([...fields, ...shown]),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties,
  };
}

/** Fields that hold JSON as text in REST; agents may also give the object itself. */
export const textsOfJson: readonly string[] = ['strategy_json'];

const EXECUTION = 'execution_config';
/** A strategy has settings of its own beside its rules. */
const ENTRY = 'entry';
const COOLDOWN = 'cooldown_config';
const topLevelNames: readonly string[] = topLevelFields;

interface BodySchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
}

const bodySchema = (body: OpenApiOperation['requestBody']): BodySchema =>
  body?.content['application/json']?.schema ?? {};

/** An answer that is no object stands in one field. */
function output(answer: JsonSchema, components: Components): ObjectSchema {
  const whole = typeof answer.$ref === 'string' ? (components[nameIn(answer.$ref)] ?? answer) : answer;
  if (whole.type === 'object') return { properties: {}, ...whole, type: 'object' };
  return { type: 'object', properties: { [WRAPPED]: answer } };
}

const nameIn = (reference: string): string => reference.split('/').at(-1) ?? '';

/** A schema with the shared ones that it names, and without the examples of the document. */
function standingAlone(schema: ObjectSchema, components: Components): ObjectSchema {
  const shared = new Map<string, unknown>();
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy);
    if (typeof value !== 'object' || value === null) return value;
    const { example: _, ...kept } = value as JsonSchema;
    if (typeof kept.$ref === 'string') {
      const name = nameIn(kept.$ref);
      if (!shared.has(name)) {
        shared.set(name, null); // set first: a schema may name itself
        shared.set(name, copy(components[name]));
      }
      return { ...kept, $ref: `#/$defs/${name}` };
    }
    return Object.fromEntries(Object.entries(kept).map(([key, inner]) => [key, copy(inner)]));
  };
  const alone = copy(schema) as ObjectSchema;
  return shared.size === 0 ? alone : { ...alone, $defs: Object.fromEntries(shared) };
}

/**
 * The fields of an answer, each with a sentence and nothing inside: agents read long lists of tools
 * with every task. None is required, since a caller may ask for some of them only.
 */
const brief = ({ properties: { success: _, ...properties } }: ObjectSchema): ObjectSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, { type, description }]) => [
      name,
      {
        ...(type !== undefined && { type }),
        ...(typeof description === 'string' && { description: description.split('. ', 1)[0] }),
      },
    ]),
  ),
});

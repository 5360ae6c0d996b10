import type { Route } from '../route.js';
import { paramValue, textInQuery, z } from '../zod.js';
import { sweepFields } from './definition-schemas.js';
import { executionConfig } from './setting-schemas.js';

const tag = 'Batch engine';
const signalType = z.enum(['TRIGGER', 'FILTER']);

const dataset = z
  .object({
    asset: z.string(),
    timeframe: z.string(),
    file: z.string(),
    hash: z
      .string()
      .openapi({ description: 'sha256: and hex digits of the hash over the canonical bytes of the columns' }),
    rows: z.int(),
    start_date: z.string().openapi({ description: 'YYYY-MM-DD' }),
    end_date: z.string().openapi({ description: 'YYYY-MM-DD' }),
  })
  .openapi('Dataset');

const signal = z
  .object({
    name: z.string(),
    type: signalType,
    category: z.string(),
    description: z.string(),
    requires: z.array(z.string()),
    params: z.record(
      z.string(),
      z.object({
        type: z.enum(['int', 'float', 'bool', 'str']),
        min: z.number().nullable(),
        max: z.number().nullable(),
        default: paramValue.openapi({ description: 'null if the parameter is required' }),
        optional: z.boolean(),
        description: z.string().optional(),
      }),
    ),
    constraints: z.array(z.array(z.string())).openapi({ description: '[left, operator, right]' }),
  })
  .openapi('CatalogueSignal');

const template = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    search_mode: z.enum(['grid', 'random']),
    datasets_count: z.int(),
    config: z.looseObject({ ...sweepFields, datasets: sweepFields.datasets.openapi({ minItems: 0 }) }).partial(),
  })
  .openapi('ExperimentTemplate');

/** Replies are bare arrays and objects, without an envelope. */
export const catalogueRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/oracle/datasets',
    rpc: 'Catalogue.ListDatasets',
    isPublic: true,
    summary: 'List the series that experiments and simulations can run on',
    tag,
    response: z.array(dataset),
    toJson: ({ datasets }) => datasets,
  },
  {
    method: 'get',
    path: '/oracle/signals',
    rpc: 'Catalogue.ListSignals',
    summary: 'List the signals that experiments can use',
    tag,
    query: z
      .object({
        type: textInQuery('TRIGGER or FILTER', { enum: ['TRIGGER', 'FILTER'] }),
        search: textInQuery('words of name, description, category, parameters or indicators'),
      })
      .partial(),
    response: z.array(signal),
    toJson: ({ signals }) => signals,
  },
  {
    method: 'get',
    path: '/oracle/templates',
    rpc: 'Catalogue.ListTemplates',
    summary: 'List experiment templates, complete except for their datasets',
    tag,
    response: z.array(template),
    toJson: ({ templates }) => templates,
  },
  {
    method: 'get',
    path: '/oracle/exec-config/defaults',
    rpc: 'Catalogue.GetExecutionDefaults',
    summary: 'Read the execution settings that apply if none are given',
    tag,
    response: executionConfig,
    toJson: ({ defaults }) => defaults,
  },
];

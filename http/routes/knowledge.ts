import type { Route } from '../route.js';
import { flagInQuery, jsonObject, numberInQuery, textInQuery, unchecked, z } from '../zod.js';

const tag = 'Knowledge base';
const version = 'kb';

const tags = z.array(z.string());
const section = jsonObject('{anchor, title, level, content, parent_anchor, children}');
const sections = z.array(section);

const listedDocument = z
  .object({ slug: z.string(), title: z.string(), summary: z.string(), tags, section_count: z.int() })
  .openapi('KbListedDocument');

const backlink = z
  .object({
    term: z.string(),
    source_document: z.string(),
    source_anchor: z.string(),
    target_document: z.string(),
    target_anchor: z.string(),
  })
  .openapi('KbBacklink');

const term = z
  .object({
    term: z.string(),
    abbreviation: z.string().nullable(),
    definition: z.string(),
    anchor: z.string(),
    document_slug: z.string(),
    backlinks: z.array(backlink),
    related_terms: z.array(z.string()),
  })
  .openapi('KbTerm');

const found = z
  .object({
    title: z.string(),
    document_slug: z.string(),
    document_title: z.string(),
    section_anchor: z.string(),
    section_title: z.string(),
    snippet: z.string(),
    relevance_score: z.number(),
    match_type: z.enum(['exact', 'title', 'section', 'content', 'fuzzy']),
    tags,
  })
  .openapi('KbFound');

const params = jsonObject('by name {type, min, max, default, optional, description}');

const signal = z
  .object({
    name: z.string(),
    category: z.string(),
    signal_type: z.enum(['TRIGGER', 'FILTER']),
    description: z.string(),
    params,
    requires: z.array(z.string()),
  })
  .openapi('KbSignal');

const indicator = z
  .object({
    name: z.string(),
    category: z.string(),
    description: z.string(),
    params,
    outputs: z.array(z.string()),
  })
  .openapi('KbIndicator');

/** The replies are bare objects, without an envelope. */
const toJson = (reply: object): unknown => reply;
const shared = { version, tag, isPublic: true, toJson, passesJson: true } as const;
/** Sold by the call where payments are on. */
const sold = { version, tag, toJson, passesJson: true } as const;

const documentRoutes: readonly Route[] = [
  {
    ...shared,
    method: 'get',
    path: '/documents',
    rpc: 'Knowledge.ListDocuments',
    summary: 'List the guides and the pages of the reference',
    response: z.object({ total: z.int(), documents: z.array(listedDocument) }),
  },
  {
    ...shared,
    method: 'get',
    path: '/documents/{slug}',
    rpc: 'Knowledge.GetDocument',
    summary: 'Read a document as Markdown, with its sections',
    response: z.object({
      slug: z.string(),
      title: z.string(),
      filename: z.string(),
      summary: z.string(),
      content: z.string(),
      tags,
      sections,
      importance: z.number(),
    }),
  },
  {
    ...shared,
    method: 'get',
    path: '/documents/{slug}/sections',
    rpc: 'Knowledge.ListSections',
    summary: 'Read the sections of a document',
    response: z.object({ document_slug: z.string(), document_title: z.string(), sections }),
  },
  {
    ...shared,
    method: 'get',
    path: '/search',
    rpc: 'Knowledge.Search',
    summary: 'Find documents by words or by a question',
    query: z
      .object({
        q: textInQuery('required; 1..300 characters'),
        tags: textInQuery('tags separated by commas, all of which a document must have'),
        limit: numberInQuery('results, 1..100, default 10'),
        expand: flagInQuery('whether idioms of traders add what they mean, default true'),
      })
      .partial(),
    response: z.object({
      query: z.string(),
      expanded_query: z.string(),
      total: z.int(),
      total_results: z.int(),
      results: z.array(found),
      tags_matched: tags,
      suggestions: z.array(z.string()),
    }),
  },
  {
    ...shared,
    method: 'get',
    path: '/tags',
    rpc: 'Knowledge.ListTags',
    summary: 'List the tags of documents',
    response: z.object({ total: z.int(), tags: z.array(z.object({ name: z.string(), count: z.int() })) }),
  },
  {
    ...shared,
    method: 'get',
    path: '/tags/{tag}',
    rpc: 'Knowledge.GetTag',
    summary: 'List the documents of a tag',
    response: z.object({
      tag: z.string(),
      total: z.int(),
      documents: z.array(z.object({ slug: z.string(), title: z.string(), tags })),
    }),
  },
  {
    ...shared,
    method: 'get',
    path: '/glossary',
    rpc: 'Knowledge.ListTerms',
    summary: 'List the words of the glossary',
    response: z.object({ total: z.int(), entries: z.array(term) }),
  },
  {
    ...shared,
    method: 'get',
    path: '/glossary/{term}',
    rpc: 'Knowledge.GetTerm',
    summary: 'Read a word of the glossary',
    response: term,
  },
  {
    ...shared,
    method: 'get',
    path: '/backlinks/{anchor}',
    rpc: 'Knowledge.ListBacklinks',
    summary: 'List the links to an anchor',
    response: z.object({ target_anchor: z.string(), total: z.int(), backlinks: z.array(backlink) }),
  },
];

const catalogueRoutes: readonly Route[] = [
  {
    ...shared,
    method: 'get',
    path: '/signals',
    rpc: 'Knowledge.ListSignals',
    summary: 'List the signals',
    query: z
      .object({
        category: textInQuery('momentum, trend, volume, volatility, patterns, onchain or user'),
        signal_type: textInQuery('TRIGGER or FILTER'),
      })
      .partial(),
    response: z.object({ total: z.int(), signals: z.array(signal) }),
  },
  {
    ...shared,
    method: 'get',
    path: '/signals/{name}',
    rpc: 'Knowledge.GetSignal',
    summary: 'Read a signal by name or alias',
    response: signal,
  },
  {
    ...shared,
    method: 'get',
    path: '/indicators',
    rpc: 'Knowledge.ListIndicators',
    summary: 'List the indicators',
    query: z.object({ category: textInQuery('average, oscillator, trend, volatility or volume') }).partial(),
    response: z.object({ total: z.int(), indicators: z.array(indicator) }),
  },
  {
    ...shared,
    method: 'get',
    path: '/indicators/{name}',
    rpc: 'Knowledge.GetIndicator',
    summary: 'Read an indicator',
    response: indicator,
  },
  {
    ...sold,
    method: 'post',
    path: '/evaluate',
    rpc: 'Knowledge.Evaluate',
    summary: 'Evaluate a signal at the last of the bars sent',
    body: z
      .object({
        name: z.string(),
        ohlcv: unchecked(z.array(jsonObject('one bar, oldest first: Close, Open, High, Low, Volume or chain columns'))),
        params: unchecked(jsonObject('parameters that differ from their defaults')),
      })
      .partial(),
    required: ['name', 'ohlcv'],
    response: z.object({ signal: z.string(), result: z.boolean(), error: z.string().optional() }),
    toJson: ({ error, ...rest }) => (error === null ? rest : { ...rest, error }),
  },
  {
    ...sold,
    method: 'post',
    path: '/compute',
    rpc: 'Knowledge.Compute',
    summary: 'Compute an indicator over the columns sent',
    body: z
      .object({
        name: z.string(),
        data: unchecked(jsonObject('lists of numbers by column, equally long, oldest first; null for a missing one')),
        params: unchecked(jsonObject('parameters that differ from their defaults')),
      })
      .partial(),
    required: ['name', 'data'],
    response: z.object({ indicator: z.string(), result: jsonObject('by line a list of numbers or null') }),
  },
];

export const knowledgeRoutes: readonly Route[] = [...documentRoutes, ...catalogueRoutes];

import type { Capability } from '../capability.js';
import { computeSupplied, evaluateOhlcv } from './compute.js';
import type { KnowledgeBase } from './knowledge-base.js';

export const knowledgeCapability = (knowledge: KnowledgeBase): Capability<'Knowledge'> => ({
  methods: {
    'Knowledge.ListDocuments': () => knowledge.listDocuments(),
    'Knowledge.GetDocument': (request) => knowledge.getDocument(request),
    'Knowledge.ListSections': (request) => knowledge.listSections(request),
    'Knowledge.Search': (request) => knowledge.search(request),
    'Knowledge.ListTags': () => knowledge.listTags(),
    'Knowledge.GetTag': (request) => knowledge.getTag(request),
    'Knowledge.ListTerms': () => knowledge.listTerms(),
    'Knowledge.GetTerm': (request) => knowledge.getTerm(request),
    'Knowledge.ListBacklinks': (request) => knowledge.listBacklinks(request),
    'Knowledge.ListSignals': (request) => knowledge.listSignals(request),
    'Knowledge.GetSignal': (request) => knowledge.getSignal(request),
    'Knowledge.ListIndicators': (request) => knowledge.listIndicators(request),
    'Knowledge.GetIndicator': (request) => knowledge.getIndicator(request),
    'Knowledge.Evaluate': async (request) => evaluateOhlcv(request),
    'Knowledge.Compute': async (request) => computeSupplied(request),
  },
});

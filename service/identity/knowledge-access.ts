/** All callers may read the knowledge base. Methods that compute cost money where calls do. */
export const knowledgeAccess = {
  'Knowledge.ListDocuments': 'public',
  'Knowledge.GetDocument': 'public',
  'Knowledge.ListSections': 'public',
  'Knowledge.Search': 'public',
  'Knowledge.ListTags': 'public',
  'Knowledge.GetTag': 'public',
  'Knowledge.ListTerms': 'public',
  'Knowledge.GetTerm': 'public',
  'Knowledge.ListBacklinks': 'public',
  'Knowledge.ListSignals': 'public',
  'Knowledge.GetSignal': 'public',
  'Knowledge.ListIndicators': 'public',
  'Knowledge.GetIndicator': 'public',
  'Knowledge.Evaluate': 'payable',
  'Knowledge.Compute': 'payable',
} as const;

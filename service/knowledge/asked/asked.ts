/**
 * What users ask, in words that the pages themselves do not use, by what answers it. Questions are
 * separated by semicolons. The search reads them, and no reader sees them.
 */
export type Asked = Readonly<Record<string, string>>;

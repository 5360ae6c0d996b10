/** Members that are named at a value. */
const MEMBERS_NAMED = 3;

/** A value that is one for all, or by member: each value once, with members that have it. */
export function byMemberText<T>(value: T | ReadonlyMap<string, T>, render: (value: T) => string): string {
  if (!(value instanceof Map)) return render(value as T);
  const byText = new Map<string, string[]>();
  for (const [name, own] of value as ReadonlyMap<string, T>) {
    const text = render(own);
    byText.set(text, [...(byText.get(text) ?? []), name]);
  }
  return [...byText].map(([text, names]) => `${text} (${namedText(names)})`).join(', ');
}

/** `BTC, ETH, SOL and 5 more`. */
export function namedText(names: readonly string[], most = MEMBERS_NAMED): string {
  const more = names.length - most;
  return more > 0 ? `${names.slice(0, most).join(', ')} and ${more} more` : names.join(', ');
}

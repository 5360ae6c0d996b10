/**
 * Questions of users, in words that the pages themselves do not use, by the page that answers them.
 * Semicolons separate the questions. The search reads them; they are not shown.
 */
export type Asked = Readonly<Record<string, string>>;

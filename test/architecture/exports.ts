import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { parse } from '../support/sources.js';
import { root } from '../support/tree.js';

/** One name that a file exports. */
export interface Export {
  readonly file: string;
  readonly name: string;
  /** Files that import it, through any index. */
  readonly users: ReadonlySet<string>;
  /** True where its own file uses it too. */
  readonly isUsedInside: boolean;
}

/** A name that a file re-exports from another. */
interface Passed {
  readonly name: string;
  readonly from: string;
  readonly originalName: string;
}

interface Import {
  readonly file: string;
  readonly name: string;
}

interface Module {
  /** Names declared and exported here. */
  readonly own: ReadonlySet<string>;
  readonly passed: readonly Passed[];
  /** Files of which every name is re-exported. */
  readonly wholes: readonly string[];
  readonly imports: readonly Import[];
  readonly source: ts.SourceFile;
}

/** Stands for every name of a file. */
const ALL = '*';

/** The file that a relative specifier names; null for packages. */
function resolve(file: string, specifier: string): string | null {
  if (!specifier.startsWith('.')) return null;
  const bare = join(dirname(file), specifier.replace(/\.[jt]s$/, ''));
  return [`${bare}.ts`, `${bare}.tsx`].find((target) => existsSync(join(root, target))) ?? null;
}

const isExported = (node: ts.Statement): boolean =>
  ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

function boundNames(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundNames(element.name) : []));
}

function declaredNames(statement: ts.Statement): string[] {
  if (ts.isExportAssignment(statement)) return ['default'];
  if (!isExported(statement)) return [];
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => boundNames(name));
  }
  const isDefault = (ts.getModifiers(statement as ts.FunctionDeclaration) ?? []).some(
    ({ kind }) => kind === ts.SyntaxKind.DefaultKeyword,
  );
  const { name } = statement as ts.DeclarationStatement;
  return isDefault ? ['default'] : name === undefined ? [] : [name.text];
}

/**
 * The names that the code destructures from `await import(...)`; all of them where it keeps the
 * module.
 */
function namesTaken(call: ts.CallExpression): string[] {
  const awaited = ts.isAwaitExpression(call.parent) ? call.parent : call;
  const { parent } = ts.isParenthesizedExpression(awaited.parent) ? awaited.parent : awaited;
  if (ts.isVariableDeclaration(parent) && ts.isObjectBindingPattern(parent.name)) {
    return parent.name.elements.map(({ propertyName, name }) => (propertyName ?? name).getText());
  }
  return ts.isPropertyAccessExpression(parent) && awaited !== call ? [parent.name.text] : [ALL];
}

const isNewUrl = (node: ts.Node): node is ts.NewExpression =>
  ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'URL';

/** A path in a text: of a module that runs in a thread or is loaded on demand. */
function path(node: ts.Expression | undefined): string | null {
  if (node === undefined) return null;
  if (ts.isStringLiteralLike(node)) return node.text;
  return ts.isTemplateExpression(node) ? node.head.text : null;
}

function importsOf(source: ts.SourceFile): Import[] {
  const found: Import[] = [];
  const add = (specifier: string | null, names: readonly string[]): void => {
    const file = specifier === null ? null : resolve(source.fileName, specifier);
    if (file !== null) found.push(...names.map((name) => ({ file, name })));
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add((node.moduleSpecifier as ts.StringLiteral).text, namesImported(node));
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add((node.argument.literal as ts.StringLiteral).text, [node.qualifier?.getText() ?? ALL]);
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(path(node.arguments[0]), namesTaken(node));
    } else if (isNewUrl(node)) add(path(node.arguments?.[0]), [ALL]);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function namesImported({ importClause }: ts.ImportDeclaration): string[] {
  const names = importClause?.name === undefined ? [] : ['default'];
  const bindings = importClause?.namedBindings;
  if (bindings === undefined) return names;
  if (ts.isNamespaceImport(bindings)) return [...names, ALL];
  return [...names, ...bindings.elements.map(({ propertyName, name }) => (propertyName ?? name).text)];
}

function readModule(file: string): Module {
  const source = parse(file);
  const passed: Passed[] = [];
  const wholes: string[] = [];
  const own = new Set(source.statements.flatMap(declaredNames));
  for (const statement of source.statements) {
    if (!ts.isExportDeclaration(statement)) continue;
    const { moduleSpecifier, exportClause } = statement;
    const from = moduleSpecifier === undefined ? file : resolve(file, (moduleSpecifier as ts.StringLiteral).text);
    if (from === null) continue;
    if (exportClause === undefined) wholes.push(from);
    else if (ts.isNamespaceExport(exportClause)) passed.push({ name: exportClause.name.text, from, originalName: ALL });
    else {
      for (const { name, propertyName } of exportClause.elements) {
        if (from === file) own.add(name.text);
        else passed.push({ name: name.text, from, originalName: (propertyName ?? name).text });
      }
    }
  }
  return { own, passed, wholes, imports: importsOf(source), source };
}

function isMentionedTwice(source: ts.SourceFile, name: string): boolean {
  let count = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text === name) count++;
    ts.forEachChild(node, visit);
  };
  visit(source);
  return count > 1;
}

/**
 * Every export of these files with the files that import it. It works on names without types, which
 * saves seconds.
 *
 * @param doors files of which every export is public
 */
export function findExports(files: readonly string[], doors: readonly string[]): Export[] {
  const modules = new Map(files.map((file) => [file, readModule(file)]));
  const users = new Map<string, Set<string>>();
  const visited = new Map<string, Set<string>>();
  const once = (table: Map<string, Set<string>>, key: string, value: string): boolean => {
    const values = table.get(key) ?? new Set();
    table.set(key, values);
    return values.size < values.add(value).size;
  };
  const use = ({ file, name }: Import, user: string): void => {
    const module = modules.get(file);
    if (module === undefined || !once(visited, `${file} ${name}`, user)) return;
    for (const own of module.own) if (name === ALL || name === own) once(users, `${file} ${own}`, user);
    for (const one of module.passed) {
      if (name !== ALL && name !== one.name) continue;
      once(users, `${file} ${one.name}`, user);
      use({ file: one.from, name: one.originalName }, user);
    }
    for (const whole of module.wholes) use({ file: whole, name }, user);
  };
  for (const [file, { imports }] of modules) for (const one of imports) use(one, file);
  for (const file of doors) use({ file, name: ALL }, 'package.json');
  return [...modules].flatMap(([file, { own, passed, source }]) =>
    [...own, ...passed.map(({ name }) => name)].map((name) => ({
      file,
      name,
      users: users.get(`${file} ${name}`) ?? new Set(),
      isUsedInside: isMentionedTwice(source, name),
    })),
  );
}

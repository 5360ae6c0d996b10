import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import test from 'node:test';
import ts from 'typescript';
import { partOf, sources } from '../support/imports.js';
import { parse } from '../support/sources.js';

/**
 * A domain of the state whose store has a second implementation, in tests, states what both do in
 * its `port.ts`. Others have the store only.
 */

/** Opens the store that all domains share; it is no domain. */
const isDomain = (file: string): boolean =>
  /^data\/state\/[^/]+\//.test(file) && dirname(file) !== 'data/state/embedded';

const statementsOf = (file: string): readonly ts.Statement[] => [...parse(file).statements];

/** The interfaces that the classes of a file implement. */
const implementedIn = (file: string): string[] =>
  statementsOf(file)
    .filter(ts.isClassDeclaration)
    .flatMap(({ heritageClauses = [] }) => [...heritageClauses])
    .filter(({ token }) => token === ts.SyntaxKind.ImplementsKeyword)
    .flatMap(({ types }) => types.map(({ expression }) => expression.getText()));

const interfacesOf = (file: string): string[] =>
  statementsOf(file)
    .filter(ts.isInterfaceDeclaration)
    .map(({ name }) => name.text);

test('a store of the state takes its port from port.ts of its folder', () => {
  const files = sources.filter(isDomain);
  const implemented = files.flatMap((file) => implementedIn(file).map((port) => ({ file, port })));
  assert.ok(implemented.length > 0);
  const elsewhere = implemented.filter(({ file, port }) => {
    const place = `${dirname(file)}/port.ts`;
    return !sources.includes(place) || !interfacesOf(place).includes(port);
  });
  assert.deepEqual(elsewhere, []);
});

test('no other file of the state, and no room above it, declares the port of a store', () => {
  const guilty = sources
    .filter((file) => (partOf(file) === 'data' ? isDomain(file) : true) && !/^data\/state\/[^/]+\/port\.ts$/.test(file))
    .flatMap((file) => interfacesOf(file).map((name) => `${file}: ${name}`))
    .filter((name) => /Store$/.test(name));
  assert.deepEqual(guilty, []);
});

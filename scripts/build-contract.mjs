/**
 * Writes the types of the contract as a module: each message as the plain object that the codec
 * makes of it, and each method with its request and its reply. Writes their comments as another,
 * for the documents of the API, and the parsed contract as a third, because parsing it takes a
 * start of the service longer than all its methods.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadSync } from '@grpc/proto-loader';
import protobuf from 'protobufjs';

const root = resolve(import.meta.dirname, '..');
const protos = join(root, 'protos');
const folder = 'barline/v1';
const files = readdirSync(join(protos, folder)).map((name) => `${folder}/${name}`);
const definition = loadSync(files, { includeDirs: [protos], keepCase: true });

const scalars = { TYPE_STRING: 'string', TYPE_BOOL: 'boolean', TYPE_BYTES: 'Uint8Array' };
const JSON_SUFFIX = '_json';

const shortName = (name) => name.slice(name.lastIndexOf('.') + 1);

/** An `optional` field is alone in a oneof that is named after it. */
const isOptional = ({ oneofDecl }, field) => oneofDecl.some(({ name }) => name === `_${field}`);

function fieldLine(message, { name, label, type, typeName }) {
  const isJson = type === 'TYPE_BYTES' && name.endsWith(JSON_SUFFIX);
  const key = isJson ? name.slice(0, -JSON_SUFFIX.length) : name;
  const one = isJson ? 'unknown' : type === 'TYPE_MESSAGE' ? shortName(typeName) : (scalars[type] ?? 'number');
  return `  readonly ${key}${isOptional(message, name) ? '?' : ''}: ${label === 'LABEL_REPEATED' ? `readonly ${one}[]` : one};\n`;
}

const messages = [];
const services = [];
for (const [fullName, described] of Object.entries(definition)) {
  const name = shortName(fullName);
  if (described.format === 'Protocol Buffer 3 DescriptorProto') {
    if (described.type.nestedType.length > 0)
      throw new Error(`${name} has a map or a nested message: not supported yet`);
    const lines = described.type.field.map((field) => fieldLine(described.type, field));
    messages.push(`export interface ${name} {\n${lines.join('')}}\n`);
  } else if (described.format === undefined) {
    const methods = Object.entries(described).map(([method, { requestType, responseType, responseStream }]) => {
      const types = `request: ${requestType.type.name}; reply: ${responseType.type.name}; isStream: ${responseStream}`;
      return `  '${name}.${method}': { ${types} };\n`;
    });
    services.push(methods.join(''));
  } else {
    throw new Error(`${fullName} is a ${described.format}: not supported yet`);
  }
}

const text = `// Written by scripts/build-contract.mjs from protos/.

${messages.join('\n')}
/** Every method with its request and its reply. */
export interface Methods {
${services.join('\n')}}
`;
/** The lines of a file, each with the comment above it. */
function* commented(file) {
  let comment = [];
  for (const line of readFileSync(join(protos, file), 'utf8')
    .split('\n')
    .map((text) => text.trim())) {
    if (line.startsWith('//')) {
      comment.push(line.slice(2).trim());
      continue;
    }
    yield [line, comment.join(' ')];
    comment = [];
  }
}

const methodComments = {};
const described = {};
for (const file of files) {
  let owner = '';
  for (const [line, comment] of commented(file)) {
    owner = /^(?:service|message) (\w+)/.exec(line)?.[1] ?? owner;
    const [, method, request, reply] = /^rpc (\w+)\((\w+)\) returns \((?:stream )?(\w+)\)/.exec(line) ?? [];
    if (method !== undefined) methodComments[`${owner}.${method}`] = { comment, request, reply };
    const [, type, field] = /^(?:optional |repeated )?(\w+) (\w+) = \d+/.exec(line) ?? [];
    if (field === undefined) continue;
    described[owner] ??= {};
    described[owner][field.replace(/_json$/, '')] = { comment, ...(/^[A-Z]/.test(type) ? { message: type } : {}) };
  }
}

const comments = `// Written by scripts/build-contract.mjs from protos/.

/** A method with the comment above it, which may be empty. */
export interface DescribedMethod {
  readonly comment: string;
  readonly request: string;
  readonly reply: string;
}

/** A field with the comment above it, and the message that it holds, if any. */
export interface DescribedField {
  readonly comment: string;
  readonly message?: string;
}

export const describedMethods: Readonly<Record<string, DescribedMethod>> = ${JSON.stringify(methodComments, null, 2)};

/** Fields by message and name. */
export const describedMessages: Readonly<Record<string, Readonly<Record<string, DescribedField>>>> = ${JSON.stringify(described, null, 2)};
`;
const parsed = new protobuf.Root();
parsed.resolvePath = (_, target) => join(protos, target);
parsed.loadSync(files, { keepCase: true });
const [{ fileDescriptorProtos }] = Object.values(definition).filter(({ format }) => format !== undefined);

const parsedText = `// Written by scripts/build-contract.mjs from protos/.

/** All messages and services, as protobufjs writes them. */
export const contractJson: string = ${JSON.stringify(JSON.stringify(parsed))};

/** A \`FileDescriptorProto\` for each package, as reflection sends it, in base64. */
export const fileDescriptors: readonly string[] = ${JSON.stringify(fileDescriptorProtos.map((bytes) => bytes.toString('base64')))};
`;

mkdirSync(join(root, 'rpc/generated'), { recursive: true });
writeFileSync(join(root, 'rpc/generated/contract.ts'), text);
writeFileSync(join(root, 'rpc/generated/comments.ts'), comments);
writeFileSync(join(root, 'rpc/generated/parsed.ts'), parsedText);

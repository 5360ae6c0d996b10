/**
 * Writes the types of the contract as a module: each message as the plain object that the codec
 * makes of it, and each method with its request and its reply.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadSync } from '@grpc/proto-loader';

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
mkdirSync(join(root, 'rpc/generated'), { recursive: true });
writeFileSync(join(root, 'rpc/generated/contract.ts'), text);

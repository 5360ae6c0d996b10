/**
 * Writes the contract as modules, from the files in `protos/`:
 * - `types.ts`: each message as the plain object that the codec makes of it, and each method with
 *   its request and its reply;
 * - `endpoints.ts`: what the annotations say of each method;
 * - `fields.ts`: what comments and annotations say of each field, for checks and documents;
 * - `parsed.ts`: the messages as protobufjs writes them, because parsing the files takes a start of
 *   the service longer than all its methods, and the descriptors that reflection sends.
 * It copies the files of Google that ours import to `protos/google/`.
 */
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { loadSync } from '@grpc/proto-loader';
import protobuf from 'protobufjs';

const root = resolve(import.meta.dirname, '..');
const protos = join(root, 'protos');
/** Has the annotations of Google and the descriptors of the language. */
const library = dirname(createRequire(import.meta.url).resolve('protobufjs/package.json'));
const folder = 'barline/v1';
const files = readdirSync(join(protos, folder)).map((name) => `${folder}/${name}`);

/** Beside our own files, so that a client needs one folder. */
for (const file of ['google/api/annotations.proto', 'google/api/http.proto', 'google/protobuf/descriptor.proto']) {
  mkdirSync(dirname(join(protos, file)), { recursive: true });
  copyFileSync(join(library, file), join(protos, file));
}

const parsed = new protobuf.Root();
parsed.resolvePath = (_, target) => join(protos, target);
parsed.loadSync(files, { keepCase: true, alternateCommentMode: true });
parsed.resolveAll();
const described = parsed.lookup('barline.v1').nestedArray;
const messages = described.filter((one) => one instanceof protobuf.Type);
const services = described.filter((one) => one instanceof protobuf.Service);

/** What an annotation of ours or of Google says of a part of the contract. */
const annotation = ({ parsedOptions }, name) =>
  Object.assign({}, ...(parsedOptions ?? []).map((options) => options[`(${name})`] ?? {}));

const listed = (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]);
const oneLine = (text) => (text ?? '').replace(/\s*\n\s*/g, ' ').trim();

/* Types */

const scalars = { string: 'string', bool: 'boolean', bytes: 'Uint8Array' };
const JSON_SUFFIX = '_json';
const isJson = ({ type, name }) => type === 'bytes' && name.endsWith(JSON_SUFFIX);
const keyOf = (field) => (isJson(field) ? field.name.slice(0, -JSON_SUFFIX.length) : field.name);

function typeOf(field) {
  if (isJson(field)) return 'unknown';
  if (field.resolvedType !== null) return field.resolvedType.name;
  return scalars[field.type] ?? 'number';
}

function interfaceOf(message) {
  const lines = message.fieldsArray.map((field) => {
    const type = field.repeated ? `readonly ${typeOf(field)}[]` : typeOf(field);
    return `  readonly ${keyOf(field)}${field.options?.proto3_optional ? '?' : ''}: ${type};\n`;
  });
  return `export interface ${message.name} {\n${lines.join('')}}\n`;
}

const methodsOf = (service) =>
  service.methodsArray.map(({ name, requestType, responseType, responseStream }) => {
    const types = `request: ${requestType}; reply: ${responseType}; isStream: ${responseStream === true}`;
    return `  '${service.name}.${name}': { ${types} };\n`;
  });

const types = `${messages.map(interfaceOf).join('\n')}
/** Every method with its request and its reply. */
export interface Methods {
${services.map((service) => methodsOf(service).join('')).join('\n')}}
`;

/* Methods */

const verbs = ['get', 'post', 'put', 'patch', 'delete'];

function bindingsOf(method, deprecated) {
  const { additional_bindings: others, ...first } = annotation(method, 'google.api.http');
  return [first, ...listed(others)].flatMap((rule) => {
    const verb = verbs.find((name) => rule[name] !== undefined);
    if (verb === undefined) return [];
    const path = rule[verb];
    return [{ verb, path, body: rule.body, responseBody: rule.response_body, isDeprecated: deprecated.includes(path) }];
  });
}

function endpointOf(service, method) {
  const { scope, access, meter, errors, status, is_plain, deprecated_paths, tool } = annotation(
    method,
    'barline.method',
  );
  if (scope === undefined && access === undefined)
    throw new Error(`${service.name}.${method.name} needs a scope or an access`);
  const [summary = '', ...rest] = (method.comment ?? '').split('\n\n');
  return {
    summary: oneLine(summary).replace(/\.$/, ''),
    description: oneLine(rest.join(' ')) || oneLine(summary),
    tag: annotation(service, 'barline.service').tag ?? service.name,
    access: scope ?? access.toLowerCase(),
    meter: meter ?? null,
    errors: listed(errors),
    badValue: annotation(service, 'barline.service').bad_value ?? 'VALIDATION_ERROR',
    status: status ?? 200,
    isPlain: is_plain === true,
    tool:
      tool === undefined
        ? null
        : { set: tool.set, name: tool.name, advice: tool.advice, isRead: tool.is_read === true },
    bindings: bindingsOf(method, listed(deprecated_paths)),
    request: method.requestType,
    reply: method.responseType,
    isStream: method.responseStream === true,
  };
}

const endpoints = Object.fromEntries(
  services.flatMap((service) =>
    service.methodsArray.map((method) => [`${service.name}.${method.name}`, endpointOf(service, method)]),
  ),
);

/* Fields */

const factsOf = (field) => ({
  comment: oneLine(field.comment),
  ...(field.resolvedType === null ? {} : { message: field.resolvedType.name }),
});

const fields = Object.fromEntries(
  messages.map((message) => [
    message.name,
    Object.fromEntries(message.fieldsArray.map((field) => [keyOf(field), factsOf(field)])),
  ]),
);

/* What goes over the wire */

const wire = new protobuf.Root();
wire.resolvePath = parsed.resolvePath;
wire.loadSync(files, { keepCase: true });
const definition = loadSync(files, { includeDirs: [protos], keepCase: true });
const [{ fileDescriptorProtos }] = Object.values(definition).filter(({ format }) => format !== undefined);

/** Annotations and comments have modules of their own. */
function withoutOptions(json) {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return json;
  const { options, comment: _, ...kept } = json;
  const rest = Object.fromEntries(Object.entries(kept).map(([key, value]) => [key, withoutOptions(value)]));
  return options?.proto3_optional ? { ...rest, options: { proto3_optional: true } } : rest;
}

const target = join(root, 'contract/generated');
mkdirSync(target, { recursive: true });
const write = (name, text) =>
  writeFileSync(join(target, `${name}.ts`), `// Written by scripts/build-contract.mjs from protos/.\n\n${text}`);

write('types', types);
write('endpoints', `export const endpoints = ${JSON.stringify(endpoints, null, 2)} as const;\n`);
write(
  'fields',
  `import type { DescribedField } from '../fields.js';

/** Fields by message and name. */
export const describedMessages: Readonly<Record<string, Readonly<Record<string, DescribedField>>>> = ${JSON.stringify(fields, null, 2)};
`,
);
write(
  'parsed',
  `/** All messages and services, as protobufjs writes them. */
export const contractJson: string = ${JSON.stringify(JSON.stringify(withoutOptions(wire.toJSON())))};

/** A \`FileDescriptorProto\` for each package, as reflection sends it, in base64. */
export const fileDescriptors: readonly string[] = ${JSON.stringify(fileDescriptorProtos.map((bytes) => bytes.toString('base64')))};
`,
);

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
import descriptor from 'protobufjs/ext/descriptor/index.js';

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

/** Messages of the language that stand for any JSON. */
const anyJson = ['google.protobuf.Struct', 'google.protobuf.Value', 'google.protobuf.ListValue'];
const isAnyJson = ({ type }) => anyJson.includes(type);
/** Holds what the fields of its message cannot say; `rpc/codec.ts` lays it over the plain object. */
const REST = 'rest';
/** Names fields that are null or empty where an unset one means something else. */
const GIVEN = 'given';
const isBeside = ({ name }) => name === REST || name === GIVEN;
const isSparse = (message) => annotation(message, 'barline.message').is_sparse === true;
const isTuple = (message) => annotation(message, 'barline.message').is_tuple === true;

const isOptional = (field) => {
  const { is_nullable, omit_empty } = annotation(field, 'barline.field');
  return field.options?.proto3_optional === true || is_nullable === true || omit_empty === true;
};

/** Messages that a request may hold. */
const inRequests = new Set();
function addRequest(message) {
  if (!(message instanceof protobuf.Type) || inRequests.has(message)) return;
  inRequests.add(message);
  for (const { resolvedType } of message.fieldsArray) addRequest(resolvedType);
}
for (const service of services) for (const method of service.methodsArray) addRequest(method.resolvedRequestType);

/** The use case checks what may hold any JSON, so it is unknown until then. */
function typeOf(field, message) {
  const { resolvedType } = field;
  if (isJson(field) || isAnyJson(field)) return 'unknown';
  const { is_unchecked, is_nullable } = annotation(field, 'barline.field');
  const isFree = is_unchecked || is_nullable || (inRequests.has(message) && (field.map || resolvedType !== null));
  const takesAny = message.fields[REST] !== undefined || isSparse(message);
  if ((takesAny && isFree) || (resolvedType !== null && isSparse(resolvedType))) return 'unknown';
  const one = resolvedType?.name ?? scalars[field.type] ?? 'number';
  return field.map ? `Readonly<Record<string, ${one}>>` : field.repeated ? `readonly ${one}[]` : one;
}

function interfaceOf(message) {
  if (isTuple(message)) {
    const items = message.fieldsArray.map((field) => typeOf(field, message));
    return `export type ${message.name} = readonly [${items.join(', ')}];\n`;
  }
  const lines = message.fieldsArray
    .filter((field) => !isBeside(field))
    .map((field) => {
      const type = typeOf(field, message);
      // A list that a request leaves out is no empty list, which would be named.
      const isAbsent = field.repeated && inRequests.has(message) && message.fields[GIVEN] !== undefined;
      return `  readonly ${keyOf(field)}${isSparse(message) || isOptional(field) || isAbsent ? '?' : ''}: ${type};\n`;
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

/* Examples */

const byName = new Map(messages.map((message) => [message.name, message]));

/** The value of an example, with the example of a message in each place that refers to one. */
function whole(value, fields) {
  if (Array.isArray(value)) return value.map((one) => whole(one, fields));
  if (value === null || typeof value !== 'object') return value;
  const { $ref, ...own } = value;
  const referred = $ref === undefined ? {} : exampleOf(byName.get($ref));
  if (referred === null) throw new Error(`the message ${$ref} has no example`);
  const entries = Object.entries(own).map(([name, one]) => {
    const field = fields?.[name];
    const made = whole(one, field?.resolvedType?.fields);
    const isText = field?.type === 'string' && !field.repeated;
    return [name, isText && typeof made === 'object' ? JSON.stringify(made) : made];
  });
  return { ...referred, ...Object.fromEntries(entries) };
}

/** The example of a message; null without one. */
function exampleOf(message) {
  const { example } = annotation(message, 'barline.message');
  return example === undefined ? null : whole(JSON.parse(example), message.fields);
}

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
  const { scope, access, meter, errors, status, is_plain, deprecated_paths, hidden_fields, tag, tool, example } =
    annotation(method, 'barline.method');
  if (scope === undefined && access === undefined)
    throw new Error(`${service.name}.${method.name} needs a scope or an access`);
  const [summary = '', ...rest] = (method.comment ?? '').split('\n\n');
  return {
    summary: oneLine(summary).replace(/\.$/, ''),
    description: oneLine(rest.join(' ')) || oneLine(summary),
    tag: tag ?? annotation(service, 'barline.service').tag ?? service.name,
    access: scope ?? access.toLowerCase(),
    meter: meter ?? null,
    errors: listed(errors),
    badValue: annotation(service, 'barline.service').bad_value ?? 'VALIDATION_ERROR',
    status: status ?? 200,
    isPlain: is_plain === true,
    hidden: listed(hidden_fields),
    tool:
      tool === undefined
        ? null
        : { set: tool.set, name: tool.name, advice: tool.advice, isRead: tool.is_read === true },
    example:
      (example === undefined
        ? exampleOf(method.resolvedRequestType)
        : whole(JSON.parse(example), method.resolvedRequestType.fields)) ?? {},
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

const camelCase = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

/** A default is text; numbers, and JSON of anything else, are told by the type of the field. */
function defaultOf(text, field) {
  const isText = field.type === 'string' && !field.repeated;
  const isNull = text === 'null' && annotation(field, 'barline.field').is_nullable;
  return isText && !isNull ? text : JSON.parse(text);
}

/** A field beside the settings of a run is described where these are. */
function factsOf(field) {
  const { is_setting, ...own } = annotation(field, 'barline.field');
  if (is_setting !== true) return ownFactsOf(field, own);
  const setting = byName.get('ExecutionSettings').fields[field.name];
  if (setting === undefined) throw new Error(`${field.name} is no execution setting`);
  const { default: _default, is_nullable: _nullable, ...rules } = annotation(setting, 'barline.field');
  return ownFactsOf(Object.assign(field, { comment: field.comment || setting.comment }), { ...rules, ...own });
}

function ownFactsOf(field, annotated) {
  const { in: among, default: initial, format, json, ...rules } = annotated;
  const facts = Object.fromEntries(Object.entries(rules).map(([name, value]) => [camelCase(name), value]));
  const { resolvedType } = field;
  return {
    comment: oneLine(field.comment),
    type:
      isJson(field) || isAnyJson(field)
        ? (field.type.split('.')[2] ?? 'Value')
        : resolvedType === null
          ? field.type
          : 'message',
    ...(resolvedType === null || isAnyJson(field) ? {} : { message: resolvedType.name }),
    ...(field.repeated ? { isList: true } : {}),
    ...(field.map ? { isMap: true } : {}),
    ...(field.options?.proto3_optional ? { isOptional: true } : {}),
    ...(among === undefined ? {} : { in: listed(among) }),
    ...(initial === undefined ? {} : { default: defaultOf(initial, field) }),
    ...(format === undefined ? {} : { format }),
    ...(json === undefined ? {} : { json: listed(json) }),
    ...facts,
  };
}

const fields = Object.fromEntries(
  messages.map((message) => [
    message.name,
    {
      comment: oneLine(message.comment),
      isSparse: isSparse(message),
      ...(isTuple(message) ? { isTuple: true } : {}),
      isOpen: annotation(message, 'barline.message').is_open === true,
      hasRest: message.fieldsArray.some(({ name }) => name === REST),
      fields: Object.fromEntries(
        message.fieldsArray.filter((field) => !isBeside(field)).map((field) => [keyOf(field), factsOf(field)]),
      ),
    },
  ]),
);

/* What goes over the wire */

const wire = new protobuf.Root();
wire.resolvePath = parsed.resolvePath;
wire.loadSync(files, { keepCase: true });
const definition = loadSync(files, { includeDirs: [protos], keepCase: true });
const [{ fileDescriptorProtos }] = Object.values(definition).filter(({ format }) => format !== undefined);
const { FileDescriptorProto } = descriptor;
const STRUCT = 'google/protobuf/struct.proto';

/**
 * Descriptors as other languages read them: the library writes names of types relative to their
 * scope, and no imports.
 */
function descriptorOf(packageName, { name, dependency = [], only = null }) {
  const file = fileDescriptorProtos
    .map((bytes) => FileDescriptorProto.decode(bytes))
    .find((one) => one.package === packageName);
  const scope = (type) => (known.has(type) ? `.${packageName}.${type}` : `.${type}`);
  const kept = (list) => (only === null ? list : list.filter((one) => only.includes(one.name)));
  const known = new Set([...file.messageType, ...file.enumType].map((one) => one.name));
  for (const message of file.messageType) {
    const entries = new Map();
    for (const nested of message.nestedType) {
      const entry = `${nested.name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase())}Entry`;
      entries.set(nested.name, `.${packageName}.${message.name}.${entry}`);
      nested.name = entry;
      for (const field of nested.field) if (field.typeName) field.typeName = scope(field.typeName.replace(/^\./, ''));
    }
    for (const field of message.field) {
      field.name = field.name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`); // the library's own Struct
      if (field.typeName) field.typeName = entries.get(field.typeName) ?? scope(field.typeName.replace(/^\./, ''));
    }
    message.options = null;
  }
  for (const service of file.service) {
    service.options = null;
    for (const method of service.method) {
      method.inputType = scope(method.inputType.replace(/^\./, ''));
      method.outputType = scope(method.outputType.replace(/^\./, ''));
      method.options = null;
    }
  }
  const own = {
    messageType: kept(file.messageType),
    enumType: kept(file.enumType),
    service: only === null ? file.service : [],
  };
  const whole = { package: packageName, name, dependency, ...own, syntax: 'proto3' };
  return FileDescriptorProto.encode(FileDescriptorProto.fromObject(whole)).finish();
}

const fileDescriptors = [
  descriptorOf('barline.v1', { name: 'barline/v1.proto', dependency: [STRUCT] }),
  descriptorOf('google.protobuf', { name: STRUCT, only: ['Struct', 'Value', 'ListValue', 'NullValue'] }),
];

/**
 * A message as our codec reads it: without annotations, which have modules of their own, and with
 * JSON as bytes, which is the same on the wire.
 */
function wireMessage({ fields = {}, oneofs = {}, ...message }) {
  const json = Object.entries(fields).filter(([, field]) => isAnyJson(field));
  const present = json.filter(([, { rule }]) => rule !== 'repeated').map(([name]) => [`_${name}`, { oneof: [name] }]);
  const { options, comment: _, ...kept } = message;
  const rules = ['is_sparse', 'is_tuple'].filter((rule) => options?.[`(barline.message).${rule}`]);
  return {
    ...kept,
    ...(rules.length > 0 ? { options: Object.fromEntries(rules.map((rule) => [rule, true])) } : {}),
    ...(present.length + Object.keys(oneofs).length === 0
      ? {}
      : { oneofs: { ...oneofs, ...Object.fromEntries(present) } }),
    fields: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, wireField(field)])),
  };
}

function wireField({ options, comment: _, ...field }) {
  const isOptional = options?.proto3_optional === true;
  if (!isAnyJson(field)) return isOptional ? { ...field, options: { proto3_optional: true } } : field;
  const json = field.type.split('.')[2];
  return {
    ...field,
    type: 'bytes',
    options: { json, ...(field.rule === 'repeated' ? {} : { proto3_optional: true }) },
  };
}

function wireService({ methods, options: _options, comment: _comment, ...service }) {
  const bare = Object.entries(methods).map(([name, { options, parsedOptions, comment, ...method }]) => [name, method]);
  return { ...service, methods: Object.fromEntries(bare) };
}

/** The package of the contract alone, as JSON. */
function wireJson() {
  const { nested } = wire.toJSON();
  const own = Object.entries(nested.barline.nested.v1.nested).map(([name, one]) => [
    name,
    one.methods === undefined ? wireMessage(one) : wireService(one),
  ]);
  return { nested: { barline: { nested: { v1: { nested: Object.fromEntries(own) } } } } };
}

const target = join(root, 'contract/generated');
mkdirSync(target, { recursive: true });
const write = (name, text) =>
  writeFileSync(join(target, `${name}.ts`), `// Written by scripts/build-contract.mjs from protos/.\n\n${text}`);

write('types', types);
write('endpoints', `export const endpoints = ${JSON.stringify(endpoints, null, 2)} as const;\n`);
write(
  'fields',
  `import type { MessageFacts } from '../endpoints.js';

/** Messages by name. */
export const messageFacts: Readonly<Record<string, MessageFacts>> = ${JSON.stringify(fields, null, 2)};
`,
);
write(
  'parsed',
  `/** All messages and services, as protobufjs writes them. */
export const contractJson: string = ${JSON.stringify(JSON.stringify(wireJson()))};

/** A \`FileDescriptorProto\` for each package, as reflection sends it, in base64. */
export const fileDescriptors: readonly string[] = ${JSON.stringify(fileDescriptors.map((bytes) => Buffer.from(bytes).toString('base64')))};
`,
);

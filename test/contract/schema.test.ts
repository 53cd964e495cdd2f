import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type EnumTypeDefinitionNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isRequiredInputField,
  isSpecifiedScalarType,
  type ObjectTypeDefinitionNode,
  parse,
  print,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { errorCatalogue } from '../../src/core/error-catalogue.js';
import { policies } from '../../src/graphql/schema/policy.js';

const read = (file: string): GraphQLSchema => buildSchema(readFileSync(file, 'utf8'));
const files = { 'schema.graphql': read('schema.graphql'), 'schema.console.graphql': read('schema.console.graphql') };
const ownTypes = (source: GraphQLSchema): GraphQLNamedType[] =>
  Object.values(source.getTypeMap()).filter((type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type));

type Member = GraphQLField<unknown, unknown> | GraphQLInputField | GraphQLArgument;

/** Signatures such as "Type.field(argument): Type!" for every named element. */
function signatures(source: GraphQLSchema): string[] {
  return ownTypes(source).flatMap((type) => {
    if (isEnumType(type)) return type.getValues().map(({ name }) => `${type.name}.${name}`);
    if (isInputObjectType(type))
      return Object.values(type.getFields()).map((field) => `${type.name}.${field.name}: ${field.type}`);
    if (!isObjectType(type) && !isInterfaceType(type)) return [type.name];
    const implemented = type.getInterfaces().map(({ name }) => `${type.name} implements ${name}`);
    return [
      ...implemented,
      ...Object.values(type.getFields()).flatMap((field) => [
        `${type.name}.${field.name}: ${field.type}`,
        ...field.args.map((argument) => `${type.name}.${field.name}(${argument.name}: ${argument.type})`),
      ]),
    ];
  });
}

/**
 * The elements of each schema that clients rely on. This is a copy, so that every change of it is reviewed. It uses types that it
 * does not define, so it is parsed without building a schema.
 */
function elementsOf(file: string): string[] {
  return parse(readFileSync(file, 'utf8')).definitions.flatMap((node) => {
    if (!('name' in node) || !node.name) return [];
    const type = node.name.value;
    const {
      interfaces = [],
      fields = [],
      values = [],
    } = node as Partial<ObjectTypeDefinitionNode> & {
      values?: EnumTypeDefinitionNode['values'];
    };
    const members = fields.flatMap((field) => [
      `${type}.${field.name.value}: ${print(field.type)}`,
      ...(field.arguments ?? []).map(
        (argument) => `${type}.${field.name.value}(${argument.name.value}: ${print(argument.type)})`,
      ),
    ]);
    return [
      ...interfaces.map(({ name }) => `${type} implements ${name.value}`),
      ...values.map(({ name }) => `${type}.${name.value}`),
      ...members,
    ];
  });
}

it.each([
  ['schema.graphql', 'test/contract/contract.api.graphql'],
  ['schema.console.graphql', 'test/contract/contract.console.graphql'],
] as const)('%s has every name, type and nullability that clients rely on', (file, contract) => {
  const present = new Set(signatures(files[file]));
  expect(elementsOf(contract).filter((signature) => !present.has(signature))).toEqual([]);
});

it.each([
  ['schema.graphql', 'test/contract/contract.api.graphql'],
  ['schema.console.graphql', 'test/contract/contract.console.graphql'],
] as const)('%s has no additional required inputs for clients', (file, contract) => {
  const known = new Set(elementsOf(contract).map((signature) => signature.replace(/:.*/, '')));
  const inputs = ownTypes(files[file]).filter((type) => isInputObjectType(type));
  const required = inputs
    .filter(({ name }) => [...known].some((member) => member.startsWith(`${name}.`)))
    .flatMap(({ name }) =>
      Object.values((files[file].getType(name) as GraphQLInputObjectType).getFields()).flatMap((field) =>
        isRequiredInputField(field) ? [`${name}.${field.name}`] : [],
      ),
    );
  expect(required.filter((member) => !known.has(member))).toEqual([]);
});

it('a query that can be sent by GET reaches no field with a fee', () => {
  const services = (type: string): string[] =>
    Object.entries(policies.api[type] ?? {}).flatMap(([name, { access }]) =>
      access.kind === 'token' && access.service ? [`${type}.${name}`] : [],
    );
  const reached = new Set<string>();
  const follow = (field: GraphQLField<unknown, unknown>): void => {
    const type = getNamedType(field.type);
    if (!isObjectType(type) || reached.has(type.name)) return;
    reached.add(type.name);
    Object.values(type.getFields()).forEach(follow);
  };
  const query = files['schema.graphql'].getQueryType()!;
  for (const field of Object.values(query.getFields()))
    if (!services('Query').includes(`Query.${field.name}`)) follow(field);
  expect(reached).toContain('StatementEntry');
  // Never billed, whatever the fee of its service.
  expect([...reached].flatMap(services)).toEqual(['Product.details']);
});

/** Inputs with the same name: on an API host, the token sets these fields. */
const setByToken = [
  'CreateWebhookEndpointInput.developerId: ID',
  'CreateWebhookEndpointInput.environment: Environment!',
  'WebhookDeliveryFilter.environment: Environment',
];

it('common types are the same in both schemas, except for fields with console-only rules', () => {
  const [api, console] = Object.values(files).map(signatures);
  const nameOf = (signature: string): string => signature.replace(/[.:( ].*/, '');
  const roots = ['Query', 'Mutation', 'Subscription'];
  const shared = new Set(
    api!.map(nameOf).filter((name) => !roots.includes(name) && console!.some((other) => nameOf(other) === name)),
  );
  expect(shared).toContain('Wallet');
  const of = (all: string[]): string[] => all.filter((signature) => shared.has(nameOf(signature))).toSorted();
  const isShared = (signature: string): boolean => {
    const [type = '', field = ''] = signature.split(/[.:( ]/);
    return Boolean(policies.api[type]?.[field]) || !policies.console[type]?.[field];
  };
  expect(of(console!).filter(isShared)).toEqual([...of(api!), ...setByToken].toSorted());
});

describe.each([
  ['api', files['schema.graphql']],
  ['console', files['schema.console.graphql']],
] as const)('the schema of the %s', (surface, schema) => {
  it('describes every type, field, argument and enum value', () => {
    const silent: string[] = [];
    const check = (name: string, described: { description?: string | null }): void => {
      if (!described.description?.trim()) silent.push(name);
    };
    for (const type of ownTypes(schema)) {
      if (!['Query', 'Mutation', 'Subscription'].includes(type.name)) check(type.name, type);
      if (isEnumType(type)) for (const value of type.getValues()) check(`${type.name}.${value.name}`, value);
      if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
      for (const field of Object.values<Member>(type.getFields())) {
        check(`${type.name}.${field.name}`, field);
        if ('args' in field)
          for (const argument of field.args) check(`${type.name}.${field.name}(${argument.name})`, argument);
      }
    }
    expect(silent).toEqual([]);
  });

  it('has every error code with its meaning as an enum, even if no field returns one', () => {
    const type = schema.getType('ErrorCode');
    const values = isEnumType(type) ? type.getValues().map(({ name, description }) => [name, description]) : [];
    const catalogued = Object.entries(errorCatalogue).map(([code, { meaning }]) => [code, meaning]);
    expect(Object.fromEntries(values)).toEqual(Object.fromEntries(catalogued));
  });

  it('has nodes in addition to edges on each page', () => {
    const pages = ownTypes(schema)
      .filter((type) => isObjectType(type))
      .filter((type) => type.getFields().edges);
    expect(pages.length).toBeGreaterThan(4);
    for (const page of pages) {
      const { edges, nodes } = page.getFields();
      const edge = getNamedType(edges!.type) as GraphQLObjectType;
      expect(`${page.name} ${nodes?.type}`).toBe(`${page.name} [${edge.getFields().node!.type}]!`);
    }
  });

  it('keeps fields nullable that can be rejected individually, so that their parent stays', () => {
    // A rejected subscription never starts.
    const { Subscription: _, ...table } = policies[surface];
    const rejectable = Object.entries(table).flatMap(([type, rows]) =>
      // A field that only selects from its parent is never rejected.
      Object.entries(rows).flatMap(([name, row]) => (row.counts === 'never' ? [] : [[type, name] as const])),
    );
    for (const [type, name] of rejectable) {
      const field = (schema.getType(type) as GraphQLObjectType | undefined)?.getFields()[name];
      if (field) expect(String(field.type), `${type}.${name}`).not.toMatch(/!$/);
    }
  });
});

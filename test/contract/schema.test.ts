import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { policy } from '../../src/graphql/policy.js';

const read = (file: string): GraphQLSchema => buildSchema(readFileSync(file, 'utf8'));
const files = { 'schema.graphql': read('schema.graphql'), 'schema.console.graphql': read('schema.console.graphql') };
/** What clients rely on; a copy, so that a change of it is a change that somebody reviews. */
const contract = read('test/contract/schema-contract.graphql');

const ownTypes = (source: GraphQLSchema): GraphQLNamedType[] =>
  Object.values(source.getTypeMap()).filter((type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type));

type Member = GraphQLField<unknown, unknown> | GraphQLInputField | GraphQLArgument;

/** "Type.field(argument): Type!" for everything that a client can name. */
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

it('every name, type and nullability that clients rely on is in one of the files', () => {
  const present = new Set(Object.values(files).flatMap(signatures));
  expect(signatures(contract).filter((signature) => !present.has(signature))).toEqual([]);
});

it('a query that may be sent by GET leads to no field that has a fee', () => {
  const services = (type: string): string[] =>
    Object.entries(policy[type] ?? {}).flatMap(([name, { access }]) =>
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
  expect([...reached].flatMap(services)).toEqual([]);
});

it('what both files hold is the same in both', () => {
  const [api, console] = Object.values(files).map(signatures);
  const nameOf = (signature: string): string => signature.replace(/[.:( ].*/, '');
  const roots = ['Query', 'Mutation'];
  const shared = new Set(
    api!.map(nameOf).filter((name) => !roots.includes(name) && console!.some((other) => nameOf(other) === name)),
  );
  expect(shared).toContain('Wallet');
  const of = (all: string[]): string[] => all.filter((signature) => shared.has(nameOf(signature))).toSorted();
  expect(of(console!)).toEqual(of(api!));
});

describe.each(Object.entries(files))('%s', (_file, schema) => {
  it('adds no required argument or input field to what the contract names', () => {
    const known = new Set(signatures(contract).map((signature) => signature.replace(/:.*/, '')));
    const added: string[] = [];
    for (const type of ownTypes(schema)) {
      if (!contract.getType(type.name)) continue;
      if (isInputObjectType(type)) {
        for (const field of Object.values(type.getFields()))
          if (String(field.type).endsWith('!') && !known.has(`${type.name}.${field.name}`))
            added.push(`${type.name}.${field.name}`);
      } else if (isObjectType(type)) {
        for (const field of Object.values(type.getFields())) {
          if (!known.has(`${type.name}.${field.name}`)) continue;
          for (const argument of field.args)
            if (String(argument.type).endsWith('!') && !known.has(`${type.name}.${field.name}(${argument.name}`))
              added.push(`${type.name}.${field.name}(${argument.name})`);
        }
      }
    }
    expect(added).toEqual([]);
  });

  it('describes every type, field, argument and enum value', () => {
    const silent: string[] = [];
    const check = (name: string, described: { description?: string | null }): void => {
      if (!described.description?.trim()) silent.push(name);
    };
    for (const type of ownTypes(schema)) {
      if (!['Query', 'Mutation'].includes(type.name)) check(type.name, type);
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

  it('keeps fields nullable that can be refused by themselves, so that their parent stays', () => {
    const refusable = Object.entries(policy).flatMap(([type, rows]) =>
      // what only picks from its parent is never refused
      Object.entries(rows).flatMap(([name, row]) => (row.counts === 'never' ? [] : [[type, name] as const])),
    );
    for (const [type, name] of refusable) {
      const field = (schema.getType(type) as GraphQLObjectType | undefined)?.getFields()[name];
      if (field) expect(String(field.type), `${type}.${name}`).not.toMatch(/!$/);
    }
  });
});

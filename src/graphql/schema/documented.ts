import { printSchemaWithDirectives } from '@graphql-tools/utils';
import {
  DirectiveLocation,
  GraphQLBoolean,
  GraphQLDirective,
  type GraphQLEnumType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLSchema,
  GraphQLString,
  isObjectType,
  lexicographicSortSchema,
} from 'graphql';
import type { Surface } from '../../core/environment.js';
import { clientScopes, STEP_UP_MS, stepUpCases } from '../../core/principal.js';
import type { PolicyRow } from './policy.js';

const positive = new GraphQLNonNull(GraphQLInt);

export const rateLimitDirective = new GraphQLDirective({
  name: 'rateLimit',
  description: 'Rate limit of the field per account. REST calls to the same endpoint count toward the limit.',
  locations: [DirectiveLocation.FIELD_DEFINITION],
  args: {
    limit: { type: positive, defaultValue: 60, description: 'Maximum number of uses per window.' },
    duration: { type: positive, defaultValue: 60, description: 'Length of the window in seconds.' },
  },
});

/** Returns the directive that documents access. API hosts require tokens, the console requires a session. */
const accessDirective = (schema: GraphQLSchema, surface: Surface): GraphQLDirective => {
  const enumOf = (name: string): GraphQLEnumType => schema.getType(name) as GraphQLEnumType;
  const listOf = (name: string) => new GraphQLList(new GraphQLNonNull(enumOf(name)));
  const flag = { type: GraphQLBoolean };
  const common = {
    public: { ...flag, description: 'No authentication required.' },
    parent: { ...flag, description: 'Callers that can read the object of the field.' },
  };
  const apiArguments = () => ({
    token: { ...flag, description: 'Access token of an approved account that is not suspended.' },
    service: { type: enumOf('Service'), description: 'Service that must be enabled for the account.' },
    clients: {
      type: listOf('ClientTokenScope'),
      description: 'Scopes with which a client token can also use the field.',
    },
    uat: { ...flag, description: 'Only on the UAT host.' },
  });
  const consoleArguments = () => ({
    roles: { type: listOf('Role'), description: 'Staff members with one of these roles.' },
    team: { type: listOf('TeamRole'), description: 'Users of a developer account with one of these team roles.' },
    stepUp: {
      ...flag,
      description: `Requires a second factor verified within the last ${STEP_UP_MS / 60_000} minutes, if the user has one. Otherwise the error is STEP_UP_REQUIRED.`,
    },
    stepUpIf: {
      type: GraphQLString,
      description:
        'Condition under which the field requires a recently verified second factor. With `stepUp`, the field always requires it.',
    },
  });
  return new GraphQLDirective({
    name: 'access',
    description:
      'Callers that can use the field. A field without this directive can be used by all callers that can read its object.',
    locations: [DirectiveLocation.FIELD_DEFINITION],
    args: { ...common, ...(surface === 'console' ? consoleArguments() : apiArguments()) },
  });
};

/** Returns the arguments of the directive `access` for a policy row. */
export function accessArguments({ access, client, only, stepUp }: PolicyRow): object {
  switch (access.kind) {
    case 'public':
      return { public: true };
    case 'parent':
      return { parent: true };
    case 'token': {
      const scopes = client === 'any' ? clientScopes : client === undefined ? [] : [client].flat();
      return {
        token: true,
        ...(access.service && { service: access.service }),
        ...(scopes.length > 0 && { clients: scopes }),
        ...(only === 'uat' && { uat: true }),
      };
    }
    case 'session':
      return {
        ...(access.roles.length > 0 && { roles: access.roles }),
        ...(access.team.length > 0 && { team: access.team }),
        ...(stepUp === true && { stepUp }),
        ...(typeof stepUp === 'string' && { stepUpIf: stepUpCases[stepUp] }),
      };
  }
}

/** Adds the directive `access` to every field with a policy row. */
export function withAccessDirective(schema: GraphQLSchema, surface: Surface): GraphQLSchema {
  const types = Object.values(schema.getTypeMap()).filter(isObjectType);
  for (const field of types.flatMap((type) => Object.values(type.getFields()))) {
    const policy = field.extensions.policy as PolicyRow | undefined;
    if (!policy) continue;
    const { directives } = field.extensions as { directives?: object };
    field.extensions = { ...field.extensions, directives: { access: accessArguments(policy), ...directives } };
  }
  const config = schema.toConfig();
  return new GraphQLSchema({ ...config, directives: [...config.directives, accessDirective(schema, surface)] });
}

/**
 * Returns the schema as sorted text with the directives for access and rate limits. Hosts serve this text, and the schema files
 * of this repository contain it.
 */
export const sdlOf = (schema: GraphQLSchema): string =>
  `${printSchemaWithDirectives(lexicographicSortSchema(schema)).trim()}\n`;

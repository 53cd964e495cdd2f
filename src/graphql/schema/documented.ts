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
  description: 'How often an account may use the field. REST calls of the same endpoint count too.',
  locations: [DirectiveLocation.FIELD_DEFINITION],
  args: {
    limit: { type: positive, defaultValue: 60, description: 'Uses per window.' },
    duration: { type: positive, defaultValue: 60, description: 'Length of the window in seconds.' },
  },
});

/** What the schema says about who may use a field: tokens call the API, people sign in to the console. */
const accessDirective = (schema: GraphQLSchema, surface: Surface): GraphQLDirective => {
  const enumOf = (name: string): GraphQLEnumType => schema.getType(name) as GraphQLEnumType;
  const all = (name: string) => new GraphQLList(new GraphQLNonNull(enumOf(name)));
  const yes = { type: GraphQLBoolean };
  const common = {
    public: { ...yes, description: 'Anybody may, without signing in.' },
    parent: { ...yes, description: 'Whoever may read the object that the field belongs to.' },
  };
  const ofApi = () => ({
    token: { ...yes, description: 'A token of an approved account that is not suspended.' },
    service: { type: enumOf('Service'), description: 'Which service has to be enabled for the account.' },
    clients: { type: all('ClientTokenScope'), description: 'Client tokens with one of these scopes may as well.' },
    uat: { ...yes, description: 'On the UAT host alone.' },
  });
  const ofConsole = () => ({
    roles: { type: all('Role'), description: 'One of the operator’s own people with one of these roles.' },
    team: { type: all('TeamRole'), description: 'One of a developer’s people with one of these team roles.' },
    stepUp: {
      ...yes,
      description: `Who has a second factor must have shown it within ${STEP_UP_MS / 60_000} minutes, or gets STEP_UP_REQUIRED.`,
    },
    stepUpIf: { type: GraphQLString, description: 'As stepUp, only in this case.' },
  });
  return new GraphQLDirective({
    name: 'access',
    description: 'Who may use the field. A field without it is for whoever may read the object that it belongs to.',
    locations: [DirectiveLocation.FIELD_DEFINITION],
    args: { ...common, ...(surface === 'console' ? ofConsole() : ofApi()) },
  });
};

/** What the schema says of a row: the arguments of its directive `access`. */
export function documentedAccess({ access, client, only, stepUp }: PolicyRow): object {
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

/** Says of every field with a policy row who may use it, as the row does. */
export function withAccessDirective(schema: GraphQLSchema, surface: Surface): GraphQLSchema {
  const types = Object.values(schema.getTypeMap()).filter(isObjectType);
  for (const field of types.flatMap((type) => Object.values(type.getFields()))) {
    const policy = field.extensions.policy as PolicyRow | undefined;
    if (!policy) continue;
    const { directives } = field.extensions as { directives?: object };
    field.extensions = { ...field.extensions, directives: { access: documentedAccess(policy), ...directives } };
  }
  const config = schema.toConfig();
  return new GraphQLSchema({ ...config, directives: [...config.directives, accessDirective(schema, surface)] });
}

/** A schema as text, sorted, with who may use its fields and how often: what hosts serve and what the files of this repository hold. */
export const sdlOf = (schema: GraphQLSchema): string =>
  `${printSchemaWithDirectives(lexicographicSortSchema(schema)).trim()}\n`;

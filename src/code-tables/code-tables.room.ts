import { developerOf } from '../core/context.js';
import { operators } from '../core/operators.js';
import type { LoadNode, Room } from '../core/room.js';
import { operatorView } from '../graphql-toolkit/code-tables.types.js';
import type { Switches } from '../providers/switches.js';
import { CodeTablesResolver, OwnServicesResolver, ownServices } from './code-tables.resolver.js';
import { EnvironmentsResolver } from './environments.resolver.js';

/** Creates the module for the code tables of pages. */
export function createCodeTables(switches: Switches): Room {
  const tablesResolver = new CodeTablesResolver();
  return {
    resolvers: {
      api: [tablesResolver, new OwnServicesResolver()],
      console: [tablesResolver, new EnvironmentsResolver(switches)],
    },
    nodes: { api: { Operator: readOperator, ServiceAccess: readOwnService }, console: { Operator: readOperator } },
  };
}

const readOperator: LoadNode = async (key) => {
  const operator = operators.find(({ id }) => id === key);
  return operator && operatorView(operator);
};

const readOwnService: LoadNode = async (key, context) =>
  ownServices(developerOf(context)).find(({ developerId, service }) => `${developerId}.${service}` === key);

import 'reflect-metadata';

import { Field, ID, InterfaceType, ObjectType } from 'type-graphql';
import { AppError } from '../core/errors.js';
import { isUuid } from '../core/ids.js';
import type { DeveloperId } from '../core/principal.js';

@InterfaceType({
  description: 'Object with a global ID. Objects with the same ID are the same object.',
  // types that nothing else references belong to the other schema
  autoRegisterImplementations: false,
})
export abstract class Node {
  @Field(() => ID, { description: 'Global ID: a prefix for the type and the key of the object. It never changes.' })
  id!: string;
}

/** Result of `node(id)`, with the name of its type. */
export interface FoundNode {
  nodeType: string;
}

/** Value of a union, with the name of its type. */
export interface UnionMember {
  unionType: string;
}

interface NodeKind {
  /** Type prefix with three letters. */
  prefix: string;
  /** Prefix for client tokens that can read fewer fields, so that a normalized cache keeps both objects apart. */
  clientPrefix?: string | undefined;
  keyOf: (source: never) => string;
}

/** Source object that was read with a client token. */
export interface ReadByClient {
  isReadByClient?: boolean;
}

const kinds = new Map<string, NodeKind>();

/**
 * Declares an object type that implements Node. Its source objects contain their own key; the schema adds the prefix for the ID
 * that clients see (graphql/schema/build.ts).
 * @param options clientPrefix: the prefix of source objects that are `ReadByClient`
 * @param keyOf key of a source object; defaults to its `id`
 */
export const NodeType =
  <Source extends object>(
    prefix: string,
    { description, clientPrefix }: { description: string; clientPrefix?: string },
    keyOf: (source: Source) => string = (source) => String((source as { id?: unknown }).id),
  ): ClassDecorator =>
  (target) => {
    kinds.set(target.name, { prefix, clientPrefix, keyOf });
    ObjectType({ simpleResolvers: true, description, implements: Node })(target);
  };

export const nodeKindOf = (typeName: string): NodeKind | undefined => kinds.get(typeName);

export const nodeIdOf = ({ prefix, clientPrefix = prefix, keyOf }: NodeKind, source: object): string =>
  `${(source as ReadByClient).isReadByClient ? clientPrefix : prefix}_${keyOf(source as never)}`;

/**
 * Splits a global ID into type and key. Returns undefined if the text is not a global ID. Throws RECORD_NOT_FOUND if a caller
 * without a client token uses an ID of client tokens.
 * @param isClient whether the caller has a client token
 */
export function parseNodeId(id: string, isClient: boolean): { typeName: string; key: string } | undefined {
  const [, prefix = '', key = ''] = /^([a-z]{3})_([\x21-\x7e]{1,200})$/.exec(id) ?? [];
  for (const [typeName, kind] of kinds) {
    if (kind.prefix === prefix) return { typeName, key };
    if (kind.clientPrefix !== prefix) continue;
    if (!isClient) throw idOfClients(prefix, kind.prefix);
    return { typeName, key };
  }
  return undefined;
}

const idOfClients = (prefix: string, expectedPrefix: string): AppError =>
  new AppError('RECORD_NOT_FOUND', {
    message: `IDs that begin with ${prefix}_ are only for client tokens. Use the ID that begins with ${expectedPrefix}_.`,
  });

/**
 * Returns the UUID of a record that an argument refers to by its global ID. The ID without its prefix, as in logs and files, is
 * accepted as well. Other text is treated as an unknown ID and never reaches the database. Throws RECORD_NOT_FOUND.
 */
export function recordId(id: string, prefix: string, kind: string): string {
  const key = id.startsWith(`${prefix}_`) ? id.slice(prefix.length + 1) : id;
  if (!isUuid(key)) throw new AppError('RECORD_NOT_FOUND', { message: `Unknown ${kind}.` });
  return key;
}

export const developerIdOf = (id: string): DeveloperId => recordId(id, 'dev', 'developer') as DeveloperId;
/** ID prefix of orders for client tokens. */
export const CLIENT_ORDER = 'oct';
/**
 * Works like `recordId`, but for orders.
 * @param isClient whether the caller has a client token, which can also use the ID with its own prefix
 */
export function orderIdOf(id: string, isClient = false): string {
  if (!id.startsWith(`${CLIENT_ORDER}_`)) return recordId(id, 'ord', 'order');
  if (!isClient) throw idOfClients(CLIENT_ORDER, 'ord');
  return recordId(id, CLIENT_ORDER, 'order');
}
/** Returns the key of an order in a list of IDs, which are validated separately. */
export const orderKeyOf = (id: string): string => id.replace(/^ord_/, '');
export const orderNodeId = (key: string): string => `ord_${key}`;

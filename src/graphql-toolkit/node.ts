import 'reflect-metadata';

import { Field, ID, InterfaceType, ObjectType } from 'type-graphql';
import { AppError } from '../core/errors.js';
import { isUuid } from '../core/ids.js';
import type { DeveloperId } from '../core/principal.js';

/** What has an id of its own: see `NodeType`. */
@InterfaceType({
  description: 'A thing with an id of its own. Two answers with the same id are about the same thing.',
  // what nothing else leads to belongs to the other schema
  autoRegisterImplementations: false,
})
export abstract class Node {
  @Field(() => ID, { description: 'Global id: a prefix that says what it is, and its key. Stable for ever.' })
  id!: string;
}

/** What `node(id)` found, with the name of its type. */
export interface FoundNode {
  nodeType: string;
}

/** A value of a union, with the name of its type. */
export interface MemberOfUnion {
  unionType: string;
}

interface NodeKind {
  /** Three letters. */
  prefix: string;
  /** The prefix for client tokens where they read less: a normalised cache keeps both objects apart. */
  clientPrefix?: string | undefined;
  keyOf: (source: never) => string;
}

/** A source that was read with a client token. */
export interface ReadByClient {
  isReadByClient?: boolean;
}

const kinds = new Map<string, NodeKind>();

/**
 * An object type that is a node. Its sources hold their own key; the id that clients see has the prefix before it, which the schema
 * adds (graphql/schema.ts).
 *
 * @param options clientPrefix: the prefix of sources that are `ReadByClient`
 * @param keyOf by default the `id` of the source
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
 * A global id → type and key; undefined when it cannot be one. Errors: RECORD_NOT_FOUND for an ID of client tokens.
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

const idOfClients = (prefix: string, other: string): AppError =>
  new AppError('RECORD_NOT_FOUND', {
    message: `An ID that begins with ${prefix}_ is only for client tokens. Use the ID that begins with ${other}_.`,
  });

/**
 * The UUID of a record that an argument names by its global id; without the prefix, as logs and files write it, it counts too. What
 * cannot be one is unknown, and never reaches the database. Errors: RECORD_NOT_FOUND.
 */
export function recordId(id: string, prefix: string, what: string): string {
  const key = id.startsWith(`${prefix}_`) ? id.slice(prefix.length + 1) : id;
  if (!isUuid(key)) throw new AppError('RECORD_NOT_FOUND', { message: `There is no such ${what}.` });
  return key;
}

export const developerIdOf = (id: string): DeveloperId => recordId(id, 'dev', 'developer') as DeveloperId;
/** Prefix of an order as client tokens read it. */
export const CLIENT_ORDER = 'oct';
/**
 * As `recordId`.
 * @param isClient whether the caller has a client token, which may use its own ID of the order too
 */
export function orderIdOf(id: string, isClient = false): string {
  if (!id.startsWith(`${CLIENT_ORDER}_`)) return recordId(id, 'ord', 'order');
  if (!isClient) throw idOfClients(CLIENT_ORDER, 'ord');
  return recordId(id, CLIENT_ORDER, 'order');
}
/** Of one in a list, which is judged by itself. */
export const orderKeyOf = (id: string): string => id.replace(/^ord_/, '');
export const orderNodeId = (key: string): string => `ord_${key}`;

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
  keyOf: (source: never) => string;
}

const kinds = new Map<string, NodeKind>();

/**
 * An object type that is a node. Its sources hold their own key; the id that clients see has the prefix before it, which the schema
 * adds (graphql/schema.ts).
 *
 * @param keyOf by default the `id` of the source
 */
export const NodeType =
  <Source extends object>(
    prefix: string,
    { description }: { description: string },
    keyOf: (source: Source) => string = (source) => String((source as { id?: unknown }).id),
  ): ClassDecorator =>
  (target) => {
    kinds.set(target.name, { prefix, keyOf });
    ObjectType({ simpleResolvers: true, description, implements: Node })(target);
  };

export const nodeKindOf = (typeName: string): NodeKind | undefined => kinds.get(typeName);

export const nodeIdOf = ({ prefix, keyOf }: NodeKind, source: object): string => `${prefix}_${keyOf(source as never)}`;

const byPrefix = (prefix: string): string | undefined => [...kinds].find(([, kind]) => kind.prefix === prefix)?.[0];

/** A global id → type and key; undefined when it cannot be one. */
export function parseNodeId(id: string): { typeName: string; key: string } | undefined {
  const [, prefix = '', key = ''] = /^([a-z]{3})_([\x21-\x7e]{1,200})$/.exec(id) ?? [];
  const typeName = byPrefix(prefix);
  return typeName === undefined ? undefined : { typeName, key };
}

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
export const orderIdOf = (id: string): string => recordId(id, 'ord', 'order');
/** Of one in a list, which is judged by itself. */
export const orderKeyOf = (id: string): string => id.replace(/^ord_/, '');
export const orderNodeId = (key: string): string => `ord_${key}`;

import { Arg, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import { AuditEntry } from '../../audit/audit.types.js';
import { isClientToken, type RequestContext } from '../../core/context.js';
import { AppError } from '../../core/errors.js';
import type { ClientScope } from '../../core/principal.js';
import type { LoadNode } from '../../core/room.js';
import { type FoundNode, Node, parseNodeId } from '../../graphql-toolkit/node.js';
import { ExtraReads, READ_SEPARATELY } from '../../graphql-toolkit/rows.js';

/** Types that a client token can read, with the required scope. It can read only its own order. */
const CLIENT_SCOPES: Readonly<Record<string, ClientScope>> = {
  Order: 'order',
  Operator: 'lookups',
  ServiceAccess: 'lookups',
  Product: 'products',
  ProductCategory: 'products',
};

/** Finds any object by its global ID. */
@Resolver()
export class NodeResolver {
  /**
   * Creates the resolver.
   * @param loaders by type name
   */
  constructor(private readonly loaders: Readonly<Record<string, LoadNode>>) {}

  @Query(() => Node, { nullable: true, description: 'Object with the given ID, if the caller can read it.' })
  async node(
    @Arg('id', () => ID, { description: 'Global ID from any response.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<FoundNode> {
    const nodeId = parseNodeId(id, isClientToken(context));
    const load = nodeId && Object.hasOwn(this.loaders, nodeId.typeName) ? this.loaders[nodeId.typeName] : undefined;
    const client = context.principal?.kind === 'developer' ? context.principal.client : undefined;
    const isHidden = client && !client.scopes.has(CLIENT_SCOPES[nodeId?.typeName ?? '']!);
    const found = isHidden ? undefined : await load?.(nodeId!.key, context);
    if (!found) throw new AppError('RECORD_NOT_FOUND', { message: 'Unknown ID.' });
    return { ...found, nodeType: nodeId!.typeName };
  }
}

/** Resolves the subject of an audit log entry as an object of the graph. */
@Resolver(() => AuditEntry)
export class AuditSubjectResolver {
  constructor(private readonly loaders: Readonly<Record<string, LoadNode>>) {}

  @FieldResolver(() => Node, {
    nullable: true,
    description: 'Object that the action changed. Null if the object is not part of the graph or no longer exists.',
  })
  @ExtraReads(READ_SEPARATELY)
  async subject(@Root() { subjectText }: AuditEntry, @Ctx() context: RequestContext): Promise<FoundNode | null> {
    const nodeKey = subjectNodeOf(subjectText);
    const found = nodeKey && (await this.loaders[nodeKey.nodeType]?.(nodeKey.key, context));
    return found ? { ...found, nodeType: nodeKey.nodeType } : null;
  }
}

/**
 * Subjects of the audit log as objects of the graph: the innermost object that is a node. Parts of an account that are not nodes
 * are resolved to the account.
 */
const SUBJECTS: readonly (readonly [RegExp, nodeType: string])[] = [
  [/\/webhook:(.+)$/, 'WebhookEndpoint'],
  [/^developer:([^/]+)/, 'Developer'],
  [/^user:(.+)$/, 'User'],
  [/^order:(.+)$/, 'Order'],
  [/^white_label:(.+)$/, 'WhiteLabel'],
];

function subjectNodeOf(subject: string): { nodeType: string; key: string } | undefined {
  for (const [pattern, nodeType] of SUBJECTS) {
    const key = pattern.exec(subject)?.[1];
    if (key !== undefined) return { nodeType, key };
  }
  return undefined;
}

import { Arg, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import { AuditEntry } from '../../audit/audit.types.js';
import { isClientToken, type RequestContext } from '../../core/context.js';
import { AppError } from '../../core/errors.js';
import type { ClientScope } from '../../core/principal.js';
import type { LoadNode } from '../../core/room.js';
import { type FoundNode, Node, parseNodeId } from '../../graphql-toolkit/node.js';
import { READ_ALONE, RowsBeside } from '../../graphql-toolkit/rows.js';

/** What a client token reads so, by the scope that it needs: of orders its own alone. */
const OF_CLIENTS: Readonly<Record<string, ClientScope>> = {
  Order: 'order',
  Operator: 'lookups',
  ServiceAccess: 'lookups',
  Product: 'products',
  ProductCategory: 'products',
};

/** Anything with an id of its own, by that id. */
@Resolver()
export class NodeResolver {
  /** @param loaders by the name of the type */
  constructor(private readonly loaders: Readonly<Record<string, LoadNode>>) {}

  @Query(() => Node, { nullable: true, description: 'What has this id, if it is the caller’s to see.' })
  async node(
    @Arg('id', () => ID, { description: 'The id, as any answer gave it.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<FoundNode> {
    const named = parseNodeId(id, isClientToken(context));
    const load = named && Object.hasOwn(this.loaders, named.typeName) ? this.loaders[named.typeName] : undefined;
    const client = context.principal?.kind === 'developer' ? context.principal.client : undefined;
    const hidden = client && !client.scopes.has(OF_CLIENTS[named?.typeName ?? '']!);
    const found = hidden ? undefined : await load?.(named!.key, context);
    if (!found) throw new AppError('RECORD_NOT_FOUND', { message: 'There is nothing with this id.' });
    return { ...found, nodeType: named!.typeName };
  }
}

/** What an entry of the audit log is about, as a thing of the graph. */
@Resolver(() => AuditEntry)
export class AuditSubjectResolver {
  constructor(private readonly loaders: Readonly<Record<string, LoadNode>>) {}

  @FieldResolver(() => Node, {
    nullable: true,
    description: 'What it was done to; null when that is no thing of the graph, or is there no more.',
  })
  @RowsBeside(READ_ALONE)
  async subject(@Root() { subjectText }: AuditEntry, @Ctx() context: RequestContext): Promise<FoundNode | null> {
    const named = thingIn(subjectText);
    const found = named && (await this.loaders[named.nodeType]?.(named.key, context));
    return found ? { ...found, nodeType: named.nodeType } : null;
  }
}

/** How the audit log names things of the graph: the innermost that it can be. A part of an account that is none is the account. */
const SUBJECTS: readonly (readonly [RegExp, nodeType: string])[] = [
  [/\/webhook:(.+)$/, 'WebhookEndpoint'],
  [/^developer:([^/]+)/, 'Developer'],
  [/^user:(.+)$/, 'User'],
  [/^order:(.+)$/, 'Order'],
  [/^white_label:(.+)$/, 'WhiteLabel'],
];

function thingIn(subject: string): { nodeType: string; key: string } | undefined {
  for (const [pattern, nodeType] of SUBJECTS) {
    const key = pattern.exec(subject)?.[1];
    if (key !== undefined) return { nodeType, key };
  }
  return undefined;
}

import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../core/context.js';
import { AppError } from '../core/errors.js';
import type { LoadNode } from '../core/room.js';
import { type FoundNode, Node, parseNodeId } from '../graphql-toolkit/node.js';

/** Anything with an id of its own, by that id. */
@Resolver()
export class NodeResolver {
  readonly #loaders: Readonly<Record<string, LoadNode>>;

  /** @param loaders by the name of the type */
  constructor(loaders: Readonly<Record<string, LoadNode>>) {
    this.#loaders = loaders;
  }

  @Query(() => Node, { nullable: true, description: 'What has this id, if it is the caller’s to see.' })
  async node(
    @Arg('id', () => ID, { description: 'The id, as any answer gave it.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<FoundNode> {
    const named = parseNodeId(id);
    const load = named && Object.hasOwn(this.#loaders, named.typeName) ? this.#loaders[named.typeName] : undefined;
    // a client token reads its own order alone
    const hidden = context.principal?.kind === 'developer' && context.principal.client && named?.typeName !== 'Order';
    const found = hidden ? undefined : await load?.(named!.key, context);
    if (!found) throw new AppError('RECORD_NOT_FOUND', { message: 'There is nothing with this id.' });
    return { ...found, nodeType: named!.typeName };
  }
}

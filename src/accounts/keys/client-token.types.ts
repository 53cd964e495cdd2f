import { Field, ID } from 'type-graphql';
import type { Paise } from '../../core/money.js';
import type { ClientScope, DeveloperId } from '../../core/principal.js';
import { connectionOf } from '../../graphql-toolkit/connection-types.js';
import { Output } from '../../graphql-toolkit/graphql-types.js';
import { Node, NodeType } from '../../graphql-toolkit/node.js';
import { Input } from '../../graphql-toolkit/rules.js';
import { Instant, Rupees } from '../../graphql-toolkit/scalars.js';
import { words } from '../../graphql-toolkit/words.js';

export const ClientTokenScopeEnum = words<ClientScope>('ClientTokenScope', 'What a client token opens.', {
  lookups: 'Operators, circles, banks and fees; the operator of a number, its plans, DTH details.',
  products: 'Categories, products and their details.',
  order: 'The state of one order, with masked numbers; waiting for it too.',
});

@NodeType('ctk', {
  description:
    'A token that a server made for a browser or an app, as it is listed: the token itself is never shown again.',
})
export class ClientToken extends Node {
  @Field(() => [ClientTokenScopeEnum], { description: 'What it opens.' })
  scopes!: ClientScope[];

  /** Of the order behind `order`; not shown. */
  developerId!: DeveloperId;
  orderKey!: string | undefined;

  @Field({ description: 'The key whose token it was made with.' })
  clientId!: string;

  @Field(() => Instant, { description: 'When it was made.' })
  createdAt!: Date;

  @Field(() => Instant, { description: 'When it ends; before that when the token ends with which it was made.' })
  expiresAt!: Date;

  @Field(() => Instant, { nullable: true, description: 'When it was ended before its time; null when it was not.' })
  revokedAt!: Date | undefined;

  @Field(() => Rupees, { description: 'What the fees of its lookups may come to.' })
  maxSpend!: Paise;

  @Field(() => Rupees, { description: 'What they have come to.' })
  spent!: Paise;
}

@Output({ description: 'A token for a browser or an app. It is shown once.' })
export class CreateClientTokenPayload {
  @Field({ description: 'Send it as Authorization: Bearer <token>, with GraphQL alone.' })
  token!: string;

  @Field(() => Instant, { description: 'When it ends; before that when the token ends with which it was made.' })
  expiresAt!: Date;

  @Field(() => [ClientTokenScopeEnum], { description: 'What it opens.' })
  scopes!: ClientScope[];

  @Field(() => ClientToken, { description: 'What `clientTokens` shows of it; with its id it can be ended.' })
  clientToken!: ClientToken;
}

@Input({ description: 'Which client token is to end.' })
export class RevokeClientTokenInput {
  @Field(() => ID, { description: 'The id of the client token, never the token itself.' })
  clientTokenId!: string;
}

@Output({ description: 'The client token that was ended.' })
export class RevokeClientTokenPayload {
  @Field(() => ClientToken, { description: 'The client token.' })
  clientToken!: ClientToken;
}

@Output({ description: 'A page of client tokens, newest first.' })
export class ClientTokenConnection extends connectionOf('ClientToken', ClientToken, {
  one: 'client token',
  edge: 'A client token in the list.',
  cursor: 'Pass it as `after` or `before` to read on from here.',
}) {}

import { Field, ID } from 'type-graphql';
import type { Paise } from '../../core/money.js';
import type { ClientScope, DeveloperId } from '../../core/principal.js';
import { connectionOf } from '../../graphql-toolkit/connection-types.js';
import { Output } from '../../graphql-toolkit/graphql-types.js';
import { Node, NodeType } from '../../graphql-toolkit/node.js';
import { Input } from '../../graphql-toolkit/rules.js';
import { Instant, Rupees } from '../../graphql-toolkit/scalars.js';
import { words } from '../../graphql-toolkit/words.js';

export const ClientTokenScopeEnum = words<ClientScope>('ClientTokenScope', 'Operations that a client token permits.', {
  lookups: 'Operators, circles, banks and fees, and lookups of operators, plans and DTH details.',
  products: 'Categories, products and their details.',
  order: 'Status of one order, with masked numbers, and the stream of its changes.',
});

@NodeType('ctk', {
  description: 'Token that a server created for a browser or an app. The token value itself is never shown again.',
})
export class ClientToken extends Node {
  @Field(() => [ClientTokenScopeEnum], { description: 'Operations that the token permits.' })
  scopes!: ClientScope[];

  /** Account of the token, for the field `order`. It is not in the schema. */
  developerId!: DeveloperId;
  orderKey!: string | undefined;

  @Field({ description: 'Client ID of the API key whose access token created the client token.' })
  clientId!: string;

  @Field(() => Instant, { description: 'Time the client token was created.' })
  createdAt!: Date;

  @Field(() => Instant, {
    description: 'Time the client token expires. It expires earlier if the access token that created it does.',
  })
  expiresAt!: Date;

  @Field(() => Instant, {
    nullable: true,
    description: 'Time the client token was revoked. Null if it was not revoked.',
  })
  revokedAt!: Date | undefined;

  @Field(() => Rupees, { description: 'Spending limit for lookup fees, in rupees.' })
  maxSpend!: Paise;

  @Field(() => Rupees, { description: 'Lookup fees charged so far, in rupees.' })
  spent!: Paise;
}

@Output({ description: 'Token for a browser or an app. Shown only once.' })
export class CreateClientTokenPayload {
  @Field({ description: 'Client token, for GraphQL only. Send it in the header `Authorization: Bearer <token>`.' })
  token!: string;

  @Field(() => Instant, {
    description: 'Time the client token expires. It expires earlier if the access token that created it does.',
  })
  expiresAt!: Date;

  @Field(() => [ClientTokenScopeEnum], { description: 'Operations that the token permits.' })
  scopes!: ClientScope[];

  @Field(() => ClientToken, {
    description: 'The client token as listed in `clientTokens`. Use its ID to revoke the token.',
  })
  clientToken!: ClientToken;
}

@Input({ description: 'Client token to revoke.' })
export class RevokeClientTokenInput {
  @Field(() => ID, { description: 'ID of the client token, not the token value.' })
  clientTokenId!: string;
}

@Output({ description: 'The revoked client token.' })
export class RevokeClientTokenPayload {
  @Field(() => ClientToken, { description: 'The client token.' })
  clientToken!: ClientToken;
}

@Output({ description: 'A page of client tokens, newest first.' })
export class ClientTokenConnection extends connectionOf('ClientToken', ClientToken, {
  singular: 'client token',
  edge: 'A client token and its pagination cursor.',
  cursor: 'Pagination cursor of the client token. Pass it as `after` or `before` to continue from here.',
}) {}

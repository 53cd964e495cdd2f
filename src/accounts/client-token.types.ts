import { Field, ID, Int, registerEnumType } from 'type-graphql';
import { type Paise, paise } from '../core/money.js';
import type { ClientScope } from '../core/principal.js';
import { Output } from '../graphql-toolkit/graphql-types.js';
import { Agrees, Distinct, Input, NonNegativeAmount, Range } from '../graphql-toolkit/rules.js';
import { Instant, Rupees } from '../graphql-toolkit/scalars.js';

const MAX_SPEND = paise(100_000);

const ClientTokenScopeEnum = { LOOKUPS: 'lookups', PRODUCTS: 'products', ORDER: 'order' } as const;
registerEnumType(ClientTokenScopeEnum, {
  name: 'ClientTokenScope',
  description: 'What a client token opens.',
  valuesConfig: {
    LOOKUPS: { description: 'Operators, circles and banks; the operator of a number, its plans, DTH details.' },
    PRODUCTS: { description: 'Categories, products and their details.' },
    ORDER: { description: 'The state of one order, with masked numbers; waiting for it too.' },
  },
});

@Input({ description: 'A token for a browser or an app.' })
export class CreateClientTokenInput {
  @Field(() => [ClientTokenScopeEnum], { description: 'What it opens. A wallet, a list or money: never.' })
  @Distinct(1, 3)
  scopes!: ClientScope[];

  @Field(() => ID, { nullable: true, description: 'The order of the scope ORDER, which needs one.' })
  @Agrees<CreateClientTokenInput>(
    ({ scopes, orderId }) => !scopes || scopes.includes('order') === (orderId !== undefined),
    'Must be there with the scope ORDER, and only with it.',
  )
  orderId?: string;

  @Field(() => Int, { nullable: true, defaultValue: 900, description: 'How long it lives: 60 to 3,600 seconds.' })
  @Range(60, 3_600)
  expiresInSeconds!: number;

  @Field(() => Rupees, {
    nullable: true,
    defaultValue: paise(1_000),
    description: 'What the fees of its lookups may come to, up to 1,000.',
  })
  @NonNegativeAmount()
  @Agrees<CreateClientTokenInput>(
    ({ maxSpend }) => maxSpend === undefined || maxSpend <= MAX_SPEND,
    'Must be at most 1000.',
    {
      rule: 'RANGE',
      min: 0,
      max: 1_000,
    },
  )
  maxSpend!: Paise;
}

@Output({ description: 'A token for a browser or an app. It is shown once.' })
export class CreateClientTokenPayload {
  @Field({ description: 'Send it as Authorization: Bearer <token>, with GraphQL alone.' })
  token!: string;

  @Field(() => Instant, { description: 'When it ends; before that when the token ends with which it was made.' })
  expiresAt!: Date;

  @Field(() => [ClientTokenScopeEnum], { description: 'What it opens.' })
  scopes!: ClientScope[];
}

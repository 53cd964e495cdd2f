import { Field, ID, Int } from 'type-graphql';
import { ClientTokenScopeEnum } from '../accounts/keys/client-token.types.js';
import { type Paise, paise } from '../core/money.js';
import type { ClientScope } from '../core/principal.js';
import { Agrees, Distinct, Input, NonNegativeAmount, Range, Text } from '../graphql-toolkit/rules.js';
import { Rupees } from '../graphql-toolkit/scalars.js';
import { hasKindWithKey, hasOneName, KEY_NEEDS_KIND, ONE_NAME, type OrderKind, OrderKindEnum } from './order.types.js';

const MAX_SPEND = paise(100_000);

@Input({ description: 'Which order: its id, our request id, or your own key with the kind.' })
export class OrderKeyInput {
  @Field(() => ID, { nullable: true, description: 'Its id.' })
  @Agrees<OrderKeyInput>(hasOneName, ONE_NAME)
  id?: string;

  @Field(() => String, { nullable: true, description: 'The api_request_id of the answer.' })
  @Text(100)
  apiRequestId?: string;

  @Field(() => OrderKindEnum, { nullable: true, description: 'Which money call; your own key needs it.' })
  @Agrees<OrderKeyInput>(hasKindWithKey, KEY_NEEDS_KIND)
  kind?: OrderKind;

  @Field(() => String, { nullable: true, description: 'Your own key: client_request_id or orderid.' })
  @Text(100)
  clientRequestId?: string;
}

@Input({ description: 'A token for a browser or an app.' })
export class CreateClientTokenInput {
  @Field(() => [ClientTokenScopeEnum], { description: 'What it opens. A wallet, a list or money: never.' })
  @Distinct(1, 3)
  scopes!: ClientScope[];

  @Field(() => ID, { nullable: true, description: 'The order of the scope ORDER, which needs one.' })
  @Agrees<CreateClientTokenInput>(
    ({ scopes, orderId, order }) =>
      !scopes || scopes.includes('order') === (orderId !== undefined || order !== undefined),
    'Must be there with the scope ORDER, and only with it; or `order` in its place.',
  )
  orderId?: string;

  @Field(() => OrderKeyInput, {
    nullable: true,
    description:
      'The same by another name of the order: with your own key it may stand after `recharge` in the same document.',
  })
  @Agrees<CreateClientTokenInput>(
    ({ orderId, order }) => orderId === undefined || order === undefined,
    'Name the order once: leave `orderId` or this one out.',
  )
  order?: OrderKeyInput;

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

import { Field } from 'type-graphql';
import { Output } from '../core/graphql-types.js';
import { StatementEntry, Wallet } from '../ledger/wallet.types.js';
import { Proposal } from '../proposals/proposal.types.js';
import { Order } from './order.types.js';

@Output({
  description: 'What a decision about money did: a movement of a wallet, or a proposal that waits for a second person.',
})
export class MoneyPayload {
  @Field(() => Wallet, { nullable: true, description: 'The wallet as it is now; null while the decision waits.' })
  wallet!: Wallet | null;

  @Field(() => StatementEntry, {
    nullable: true,
    description: 'The movement; null while the decision waits, and when no money moved.',
  })
  entry!: StatementEntry | null;

  @Field(() => Order, { nullable: true, description: 'The order that it was about; null for a credit.' })
  order!: Order | null;

  @Field(() => Proposal, { nullable: true, description: 'What waits for a second person; null when it is done.' })
  proposal!: Proposal | null;

  @Field({ description: 'The same reference with the same amount was there already: nothing changed.' })
  replayed!: boolean;
}

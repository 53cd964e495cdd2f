import { Field, Int } from 'type-graphql';
import { PLAY_MONEY } from '../accounts/developers/developer.verbs.js';
import { type Paise, rupeesNumber } from '../core/money.js';
import { Output } from '../graphql-toolkit/graphql-types.js';
import { Input, PositiveAmount } from '../graphql-toolkit/rules.js';
import { Rupees } from '../graphql-toolkit/scalars.js';
import { StatementEntry, Wallet } from '../ledger/wallet.types.js';
import { MAX_REFILL, MAX_REFILLS } from './refill.service.js';

@Input({ description: 'Play money for the wallet of UAT.' })
export class RefillSandboxWalletInput {
  @Field(() => Rupees, {
    nullable: true,
    description: `Rupees, up to ${rupeesNumber(MAX_REFILL)}; ${rupeesNumber(PLAY_MONEY)} without it.`,
  })
  @PositiveAmount()
  amount?: Paise;
}

@Output({ description: 'A wallet of UAT with more play money.' })
export class RefillSandboxWalletPayload {
  @Field(() => StatementEntry, { description: 'The line of its statement.' })
  entry!: StatementEntry;

  @Field(() => Wallet, { description: 'The wallet right after it.' })
  wallet!: Wallet;

  @Field(() => Int, { description: `How many of the ${MAX_REFILLS} refills of this day, in Indian time, are left.` })
  refillsLeft!: number;
}

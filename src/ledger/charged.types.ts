import { Field, InterfaceType } from 'type-graphql';
import type { Paise } from '../core/money.js';
import { Rupees } from '../graphql-toolkit/scalars.js';
import type { WalletState } from './postings.js';

@InterfaceType({ description: 'Response to a call that can cost a fee, with the wallet after the call.' })
export abstract class Charged {
  /** Wallet after the call, if the call changed it. Otherwise `wallet` is read on request. */
  walletAfter?: WalletState | undefined;

  @Field(() => Rupees, { description: 'Fee charged for this call, in rupees.' })
  fee!: Paise;

  @Field({
    description: 'Whether this is the stored response to an earlier identical request. A replay is free of charge.',
  })
  replayed!: boolean;
}

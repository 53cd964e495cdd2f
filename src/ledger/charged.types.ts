import { Field, InterfaceType } from 'type-graphql';
import type { Paise } from '../core/money.js';
import { Rupees } from '../graphql-toolkit/scalars.js';
import type { WalletState } from './postings.js';

@InterfaceType({ description: 'An answer that may cost a fee, with the wallet right after it.' })
export abstract class Charged {
  /** Where the call itself changed the wallet; else `wallet` is read when it is asked for. */
  walletAfter?: WalletState | undefined;

  @Field(() => Rupees, { description: 'Charged for this call, in rupees.' })
  fee!: Paise;

  @Field({ description: 'The answer to an earlier, equal request: it cost nothing again.' })
  replayed!: boolean;
}

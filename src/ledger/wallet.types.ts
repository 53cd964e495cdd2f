import { ArgsType, Field } from 'type-graphql';
import { developerOf, type RequestContext, type WalletReading } from '../core/context.js';
import type { Environment } from '../core/environment.js';
import type { Paise } from '../core/money.js';
import type { DeveloperId } from '../core/principal.js';
import { connectionOf } from '../graphql-toolkit/connection-types.js';
import { EnvironmentEnum, Output } from '../graphql-toolkit/graphql-types.js';
import { NodeType } from '../graphql-toolkit/node.js';
import { CursorsOf, PageArguments } from '../graphql-toolkit/page-arguments.js';
import { Agrees, Distinct, Text } from '../graphql-toolkit/rules.js';
import { CalendarDate, Instant, Rupees, SafeInt } from '../graphql-toolkit/scalars.js';
import { DAY_PROBLEM, dayRangeProblem, isStatementDay, MAX_DAYS_IN_RESPONSE } from './day-range.js';
import type { LedgerService } from './ledger.service.js';
import type { WalletState } from './postings.js';
import {
  LINE_PREFIX,
  STATEMENT,
  type StatementKind,
  StatementKindEnum,
  type StatementLine,
  VERSION,
} from './statement.service.js';
import type { WalletKey } from './wallet.reader.js';

@NodeType<StatementEntry>(LINE_PREFIX, {
  description: 'Entry of a wallet statement. Settlements do not change the balance and are not listed.',
})
export class StatementEntry {
  /** Owner and subject of the entry. The subject is an order, a lead or a credit. */
  developerId!: DeveloperId;
  subjectId!: string;
  id!: string;

  @Field(() => Instant, { description: 'Time the entry was posted.' })
  at!: Date;

  @Field(() => StatementKindEnum, { description: 'Kind of the entry.' })
  kind!: StatementKind;

  @Field(() => Rupees, { description: 'Amount in rupees. Negative if it left the wallet.' })
  amount!: Paise;

  @Field(() => Rupees, { description: 'Balance after the entry, in rupees.' })
  balanceAfter!: Paise;

  @Field({
    description:
      '`api_request_id` of the order, lead code, reference of a credit or debit, or ID of the approval request of a correction.',
  })
  reference!: string;
}

@Output({ description: 'Page of a statement, newest first.' })
export class StatementConnection extends connectionOf('Statement', StatementEntry, {
  singular: 'entry',
  plural: 'entries',
  edge: 'A statement entry and its pagination cursor.',
}) {}

@ArgsType()
@CursorsOf(STATEMENT, VERSION)
export class StatementArguments extends PageArguments {
  @Field(() => Instant, { nullable: true, description: 'Only entries posted at or after this time.' })
  from?: Date;

  @Field(() => Instant, { nullable: true, description: 'Only entries posted before this time.' })
  @Agrees<StatementArguments>(({ from, to }) => !from || !to || from < to, 'Must be later than `from`.')
  to?: Date;

  @Field(() => [StatementKindEnum], { nullable: true, description: 'Only entries of these kinds.' })
  @Distinct(1, Object.keys(StatementKindEnum).length)
  kinds?: StatementKind[];

  @Field(() => String, {
    nullable: true,
    description:
      'Only entries with this reference: `api_request_id`, lead code, reference of a credit or debit, or ID of the approval request of a correction.',
  })
  @Text(100)
  reference?: string;
}

@ArgsType()
export class WalletDaysArguments {
  @Field(() => CalendarDate, { description: 'First day (IST), from 2000 to 2100.' })
  @Agrees<WalletDaysArguments>(({ from }) => !from || isStatementDay(from), DAY_PROBLEM, 'RANGE')
  from!: string;

  @Field(() => CalendarDate, {
    description: `Last day (IST), inclusive. The range can span at most ${MAX_DAYS_IN_RESPONSE} days.`,
  })
  @Agrees<WalletDaysArguments>(({ to }) => !to || isStatementDay(to), DAY_PROBLEM, 'RANGE')
  @Agrees<WalletDaysArguments>(
    // this is reported as the same rule as above, so that only one of them fails
    ({ from, to }) =>
      !from ||
      !to ||
      ![from, to].every(isStatementDay) ||
      dayRangeProblem(from, to, MAX_DAYS_IN_RESPONSE) === undefined,
    `Must not be before the first day. The range can span at most ${MAX_DAYS_IN_RESPONSE} days, including the first one.`,
  )
  to!: string;
}

@Output({ description: 'Calendar day (IST) of a wallet: opening + credits − debits = closing.' })
export class WalletDay {
  @Field(() => CalendarDate, { description: 'Calendar day.' })
  date!: string;

  @Field(() => Rupees, {
    description: 'Balance at the start of the day, which is the closing balance of the previous day.',
  })
  opening!: Paise;

  @Field(() => Rupees, {
    description:
      'Amounts that entered the wallet: refunds, reversals, top-ups, corrections, and unrecorded changes that a correction reversed.',
  })
  credits!: Paise;

  @Field(() => Rupees, {
    description:
      'Amounts that left the wallet: holds, reversed refunds, lead fees, debits, corrections, and unrecorded changes that a correction reversed. Not negative.',
  })
  debits!: Paise;

  @Field(() => Rupees, { description: 'Balance at the end of the day. For today, the current balance.' })
  closing!: Paise;
}

/** Description of the wallet in the response to a payment. */
export const WALLET_OF_PAYMENT =
  'Wallet after the call. Null if the wallet could not be read; the order is valid in either case.';

@NodeType<Wallet>(
  'wal',
  { description: 'Prepaid wallet of a developer in one environment.' },
  ({ environment, developerId }) => `${environment}_${developerId}`,
)
export class Wallet {
  /** Owner of the wallet, used to read the statement. */
  developerId!: DeveloperId;

  @Field(() => EnvironmentEnum, { description: 'Environment of the wallet. UAT wallets contain test funds.' })
  environment!: Environment;

  @Field(() => Rupees, { description: 'Available balance in rupees.' })
  balance!: Paise;

  @Field(() => SafeInt, {
    description:
      'Version of the balance, which increases with every change. The response with the higher version has the newer balance. `held` can differ between responses with the same version.',
  })
  version!: number;
}

export const walletView = (
  { developerId, environment }: WalletKey,
  { balancePaise, version }: WalletState,
): Wallet => ({ developerId, environment, balance: balancePaise, version });

export const entryView = ({ amountPaise, balanceAfterPaise, ...line }: StatementLine): StatementEntry => ({
  ...line,
  amount: amountPaise,
  balanceAfter: balanceAfterPaise,
});

/**
 * Returns the wallet of an API caller. All fields of a query response show the same wallet state.
 * @param after wallet after a mutation, if known
 */
export async function ownWallet(
  context: RequestContext,
  ledger: Pick<LedgerService, 'wallet'>,
  after?: WalletReading,
): Promise<Wallet> {
  const { developerId, environment } = developerOf(context);
  const read = () => ledger.wallet(developerId, environment);
  const state = context.responseWallet ? await context.responseWallet.state(read) : (after ?? (await read()));
  return walletView({ developerId, environment }, state);
}

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
import { DAY_PROBLEM, dayRangeProblem, isStatementDay, MAX_DAYS_IN_ANSWER } from './day-range.js';
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
  description: 'One movement of a wallet. Settlements do not move it and are not listed.',
})
export class StatementEntry {
  /** Whose line it is, and what moved the wallet: an order, a lead, a credit. */
  developerId!: DeveloperId;
  subjectId!: string;
  /** The key of its id. */
  id!: string;

  @Field(() => Instant, { description: 'When it was posted.' })
  at!: Date;

  @Field(() => StatementKindEnum, { description: 'Why it moved.' })
  kind!: StatementKind;

  @Field(() => Rupees, { description: 'Negative when it left the wallet.' })
  amount!: Paise;

  @Field(() => Rupees, { description: 'The balance right after it.' })
  balanceAfter!: Paise;

  @Field({
    description:
      'api_request_id of the order, the lead code, the reference of a credit or debit, or the ID of the approval request of a correction.',
  })
  reference!: string;
}

@Output({ description: 'A page of a statement, newest first.' })
export class StatementConnection extends connectionOf('Statement', StatementEntry, {
  one: 'line',
  edge: 'A statement line with its position.',
}) {}

@ArgsType()
@CursorsOf(STATEMENT, VERSION)
export class StatementArguments extends PageArguments {
  @Field(() => Instant, { nullable: true, description: 'Lines from this instant on.' })
  from?: Date;

  @Field(() => Instant, { nullable: true, description: 'Lines before this instant.' })
  @Agrees<StatementArguments>(({ from, to }) => !from || !to || from < to, 'Must be later than `from`.')
  to?: Date;

  @Field(() => [StatementKindEnum], { nullable: true, description: 'Lines of these kinds alone.' })
  @Distinct(1, Object.keys(StatementKindEnum).length)
  kinds?: StatementKind[];

  @Field(() => String, {
    nullable: true,
    description:
      'Only entries with this reference: api_request_id, lead code, the reference of a credit or debit, or the ID of the approval request of a correction.',
  })
  @Text(100)
  reference?: string;
}

@ArgsType()
export class WalletDaysArguments {
  @Field(() => CalendarDate, { description: 'The first day, in Indian time; from 2000 to 2100.' })
  @Agrees<WalletDaysArguments>(({ from }) => !from || isStatementDay(from), DAY_PROBLEM, 'RANGE')
  from!: string;

  @Field(() => CalendarDate, {
    description: `The last day, itself included; at most ${MAX_DAYS_IN_ANSWER} days in all.`,
  })
  @Agrees<WalletDaysArguments>(({ to }) => !to || isStatementDay(to), DAY_PROBLEM, 'RANGE')
  @Agrees<WalletDaysArguments>(
    // a rule of the same kind: the two never fail at once
    ({ from, to }) =>
      !from || !to || ![from, to].every(isStatementDay) || dayRangeProblem(from, to, MAX_DAYS_IN_ANSWER) === undefined,
    `Must not be before the first day, and at most ${MAX_DAYS_IN_ANSWER} days, the first one included.`,
  )
  to!: string;
}

@Output({ description: 'One day of a wallet in Indian time: opening + credits − debits = closing.' })
export class WalletDay {
  @Field(() => CalendarDate, { description: 'The day.' })
  date!: string;

  @Field(() => Rupees, { description: 'The balance when the day began: the closing balance of the day before.' })
  opening!: Paise;

  @Field(() => Rupees, {
    description:
      'Amounts that entered the wallet: refunds, reversals, top-ups, corrections, and unrecorded changes that a correction reversed.',
  })
  credits!: Paise;

  @Field(() => Rupees, {
    description:
      'Amounts that left the wallet: holds, payments charged again, lead fees, debits, corrections, and unrecorded changes that a correction reversed. Not negative.',
  })
  debits!: Paise;

  @Field(() => Rupees, { description: 'The balance when the day ended; today, the balance so far.' })
  closing!: Paise;
}

/** Of the answer to a payment. */
export const WALLET_OF_PAYMENT =
  'The wallet right after the call; null when it could not be read: the order counts all the same.';

@NodeType<Wallet>(
  'wal',
  { description: 'Prepaid money of a developer in one environment.' },
  ({ environment, developerId }) => `${environment}_${developerId}`,
)
export class Wallet {
  /** Whose wallet it is: the statement reads by it. */
  developerId!: DeveloperId;

  @Field(() => EnvironmentEnum, { description: 'UAT holds play money.' })
  environment!: Environment;

  @Field(() => Rupees, { description: 'What can be spent.' })
  balance!: Paise;

  @Field(() => SafeInt, {
    description:
      'Grows with every change of the balance: of two answers the one with the higher version has the newer balance. `held` may differ between answers of one version.',
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
 * The wallet of an API caller. The answer to a query shows it in one state, however often and wherever it stands.
 *
 * @param after what the call of a mutation left in it, where that is known
 */
export async function ownWallet(
  context: RequestContext,
  ledger: Pick<LedgerService, 'wallet'>,
  after?: WalletReading,
): Promise<Wallet> {
  const { developerId, environment } = developerOf(context);
  const read = () => ledger.wallet(developerId, environment);
  const state = context.shownWallet ? await context.shownWallet.state(read) : (after ?? (await read()));
  return walletView({ developerId, environment }, state);
}

import { Field, FieldResolver, Resolver, Root } from 'type-graphql';
import { ApprovalRequest } from '../approval-requests/approval-request.types.js';
import { instantOrNull } from '../core/clock.js';
import { type Paise, paise } from '../core/money.js';
import { batchedLoader, type Loader } from '../db/batched-loader.js';
import type { Queryable } from '../db/pool.js';
import { Output } from '../graphql-toolkit/graphql-types.js';
import { ExtraReads, READ_TOGETHER } from '../graphql-toolkit/rows.js';
import { Instant, Rupees, SafeInt } from '../graphql-toolkit/scalars.js';
import { correctionOf, type StoredDifference } from './wallet-correction.decision.js';

@Output({ description: 'Correction of a wallet whose balance changed without a transfer.' })
export class WalletCorrection {
  @Field(() => SafeInt, { description: 'First wallet version with a wrong balance.' })
  fromVersion!: number;

  @Field(() => SafeInt, {
    description: 'Number of statement entries with a wrong balance when approval was requested.',
  })
  entries!: number;

  @Field(() => Rupees, { description: 'Balance of the wallet when approval was requested.' })
  storedBalance!: Paise;

  @Field(() => Rupees, { description: 'Sum of the transfers of the wallet when approval was requested.' })
  computedBalance!: Paise;

  @Field(() => Rupees, {
    description:
      'Amount that the correction adds to the wallet, in rupees. Negative if it takes money out of the wallet; 0 if the balances agree.',
  })
  difference!: Paise;

  @Field(() => Instant, {
    nullable: true,
    description:
      'Time `gateway ledger post` posted the correction. Null if the correction is not posted. Approval does not post it.',
  })
  postedAt!: Date | null;
}

interface Row {
  id: string;
  payload: StoredDifference;
  posted_at: string | null;
}

/** Resolver for `ApprovalRequest.correction`. */
@Resolver(() => ApprovalRequest)
export class WalletCorrectionResolver {
  readonly #corrections: Loader<string, WalletCorrection | null>;

  constructor(db: Queryable) {
    this.#corrections = batchedLoader(async (ids) => {
      const { rows } = await db.query<Row>({
        text: `select p.id, p.payload - 'steps' as payload, c.posted_at from approval_request p left join wallet_correction c on c.approval_request_id = p.id
          where p.id = any($1) and p.action = 'wallet.correct'`,
        values: [ids],
      });
      const found = new Map(rows.map((row) => [row.id, shown(row)]));
      return ids.map((id) => found.get(id) ?? null);
    });
  }

  @FieldResolver(() => WalletCorrection, {
    nullable: true,
    description: 'Correction of a CORRECT_WALLET approval request. Null for other actions.',
  })
  @ExtraReads(READ_TOGETHER)
  async correction(@Root() { id, storedAction }: ApprovalRequest): Promise<WalletCorrection | null> {
    return storedAction === 'wallet.correct' ? this.#corrections.load(id) : null;
  }
}

function shown({ payload, posted_at }: Row): WalletCorrection {
  const [storedPaise, computedPaise] = [paise(payload.storedPaise), paise(payload.computedPaise)];
  return {
    fromVersion: Number(payload.firstVersion),
    entries: payload.entries,
    storedBalance: storedPaise,
    computedBalance: computedPaise,
    difference: correctionOf({ storedPaise, computedPaise }),
    postedAt: instantOrNull(posted_at),
  };
}

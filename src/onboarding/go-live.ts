import type { Developer } from '../accounts/developers/developer.types.js';
import { instantOrNull } from '../core/clock.js';
import { timeOfId } from '../core/ids.js';
import type { DeveloperId } from '../core/principal.js';
import { batchedLoader, type Loader } from '../db/batched-loader.js';
import type { Queryable } from '../db/pool.js';
import type { GoLiveStep, GoLiveStepName } from './go-live.types.js';

/** Times of the first events of an account. */
interface Milestones {
  uatSuccess: Date | null;
  liveCredit: Date | null;
}

interface MilestonesRow {
  id: DeveloperId;
  success_at: string | null;
  archived: string | null;
  credit: string | null;
}

/**
 * SQL for the first success in UAT, of current and archived orders, and the first credit in Production, whose reference is
 * kept permanently. Each part uses an index on the account.
 */
const MILESTONES = `select k.id, s.settled_at as success_at, a.id as archived, c.posting_id as credit
  from unnest($1::uuid[]) k(id)
  left join lateral (
    select o.settled_at from orders o where o.developer_id = k.id and o.environment = 'uat' and o.state = 'success'
      and o.operation in ('recharge', 'card_payment') order by o.id limit 1) s on true
  left join lateral (
    select o.id from archived_order o where o.developer_id = k.id and o.environment = 'uat' and o.status <> 'failed'
      order by o.id limit 1) a on true
  left join lateral (
    select r.posting_id from ledger_reference r
      where r.developer_id = k.id and r.environment = 'production' and r.kind = 'top_up' order by r.posting_id limit 1) c on true`;

/** Steps that an account completes before its first Production order. */
export class GoLive {
  readonly #milestones: Loader<DeveloperId, Milestones>;

  constructor(db: Queryable) {
    this.#milestones = batchedLoader(async (ids) => {
      const { rows } = await db.query<MilestonesRow>({ name: 'go-live-firsts', text: MILESTONES, values: [ids] });
      const found = new Map(rows.map((row) => [row.id, milestonesOf(row)]));
      return ids.map((id) => found.get(id)!);
    });
  }

  /** Returns all steps in order. */
  async steps(developer: Developer): Promise<GoLiveStep[]> {
    return stepsOf(developer, await this.#milestones.load(developer.id));
  }
}

const milestonesOf = ({ success_at, archived, credit }: MilestonesRow): Milestones => ({
  uatSuccess: archived === null ? instantOrNull(success_at) : timeOfId(archived),
  liveCredit: credit === null ? null : timeOfId(credit),
});

function stepsOf(developer: Developer, { uatSuccess, liveCredit }: Milestones): GoLiveStep[] {
  const { onboardingStatus: status, productionUnlocked: isUnlocked, productionUnlockedAt, requestedAt } = developer;
  const isSubmitted = status === 'kyc_submitted' || status === 'approved';
  const completionTimes: Record<GoLiveStepName, Date | null> = {
    email_confirmed: developer.emailVerifiedAt,
    kyc_submitted: isSubmitted ? developer.kycSubmittedAt : null,
    kyc_approved: status === 'approved' ? developer.approvedAt : null,
    first_uat_success: uatSuccess,
    production_requested: requestedAt ?? productionUnlockedAt,
    production_unlocked: isUnlocked ? productionUnlockedAt : null,
    first_credit: liveCredit,
  };
  const reviewSteps: Partial<Record<GoLiveStepName, boolean>> = {
    kyc_approved: status === 'kyc_submitted',
    production_unlocked: requestedAt !== null && !isUnlocked,
  };
  return Object.entries(completionTimes).map(([step, completedAt]) => ({
    step: step as GoLiveStepName,
    completedAt,
    isInReview: reviewSteps[step as GoLiveStepName] ?? false,
  }));
}

import type { MikroORM } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Actor, AuditService } from '../../audit/audit.service.js';
import type { DeveloperId } from '../../core/principal.js';
import type { RowKeys } from '../../core/row-keys.js';
import { randomToken } from '../../core/secret.js';
import { inTransaction } from '../../db/orm.js';
import { TOKEN_PREFIX } from '../principal.reader.js';
import { requireKeys } from './credential.service.js';

/** Maximum number of test tokens per session. Each browser tab has one, and needs a new one after a reload. */
export const TEST_TOKENS_PER_SESSION = 5;

/** Test tokens for UAT. Console users create them without an API key and without entering a secret. */
export class TestTokenService {
  constructor(
    private readonly orm: MikroORM,
    private readonly audit: AuditService,
    private readonly rowKeys: RowKeys,
  ) {}

  /**
   * Creates a test token that expires after a fixed time, or earlier with the session. At the limit of the session, the oldest
   * token is revoked. Throws SUSPENDED, and ONBOARDING_INCOMPLETE before approval.
   */
  async issue(
    { developerId, sessionHash }: { developerId: DeveloperId; sessionHash: Buffer },
    seconds: number,
    by: Actor,
  ): Promise<{ token: string; expiresAt: Date }> {
    const token = randomToken(TOKEN_PREFIX.uat);
    const tokenHash = this.rowKeys.lookup('access_token', token);
    const expiresAt = new Date(Date.now() + seconds * 1_000);
    const row = { tokenHash, developerId, environment: 'uat', clientId: null, sessionHash, latestExpiry: expiresAt };
    const mac = this.rowKeys.mac('access_token', row);
    return inTransaction(this.orm, async (tx) => {
      // locks the account, so that its sessions issue one at a time
      await requireKeys(developerId, 'uat', tx);
      const db = tx.getKysely();
      await sql`update access_token set revoked_at = now() where token_hash in (
          select token_hash from access_token where session_hash = ${sessionHash} and revoked_at is null and expires_at > now()
          order by created_at desc offset ${TEST_TOKENS_PER_SESSION - 1})`.execute(db);
      await sql`
        insert into access_token (token_hash, developer_id, session_hash, environment, mac, created_at, last_used_at, expires_at, latest_expiry)
          select ${tokenHash}, ${developerId}, ${sessionHash}, 'uat', ${mac}, at, at, ${expiresAt}::timestamptz, ${expiresAt}::timestamptz
          from (select clock_timestamp() as at) issued`.execute(db);
      const after = { expiresAt: expiresAt.toISOString() };
      const subject = `developer:${developerId}/uat`;
      await this.audit.record(by, { action: 'credential.create_test_token', subject, before: null, after }, tx);
      return { token, expiresAt };
    });
  }
}

import { ApprovalFlow } from '../approval-requests/approval-request.service.js';
import { ApprovalRequestStore } from '../approval-requests/approval-request.store.js';
import type { AuditReader } from '../audit/audit.reader.js';
import type { AuditService } from '../audit/audit.service.js';
import { apiUrls } from '../config.js';
import { canSeeAccount } from '../core/context.js';
import { isUuid } from '../core/ids.js';
import type { Metrics } from '../core/metrics.js';
import type { DeveloperId } from '../core/principal.js';
import type { LoadNode, Room } from '../core/room.js';
import type { Counters } from '../db/counters/counters.js';
import type { Base } from '../db/database.js';
import type { LedgerService } from '../ledger/ledger.service.js';
import type { Emails } from '../mails/emails.room.js';
import type { SettingsService } from '../settings/settings.service.js';
import { AccountSearch } from './account.search.js';
import { Attempts } from './attempts.js';
import { accountDecisions } from './developers/account.decisions.js';
import { AccountChangeService } from './developers/account-change.service.js';
import {
  DeveloperConnectionResolver,
  DeveloperResolver,
  DeveloperVerbsResolver,
} from './developers/developer.resolver.js';
import { DeveloperService } from './developers/developer.service.js';
import { DevelopersReader } from './developers/developers.reader.js';
import { DeveloperNotesResolver, NoteAuthorResolver } from './developers/note.resolver.js';
import { Notes } from './developers/notes.js';
import { PlatformResolver } from './developers/platform.resolver.js';
import { PlatformSettings, WhiteLabelService } from './developers/platform.service.js';
import { ServiceAccessResolver } from './developers/service-access.resolver.js';
import { AuthResolver } from './keys/auth.resolver.js';
import { ClientTokenService } from './keys/client-token.service.js';
import { CredentialResolver } from './keys/credential.resolver.js';
import { CredentialService, type KeyEndpoints } from './keys/credential.service.js';
import { TestTokenResolver } from './keys/test-token.resolver.js';
import { TestTokenService } from './keys/test-token.service.js';
import { TokenService } from './keys/token.service.js';
import { InvitationResolver } from './people/invitation.resolver.js';
import { InvitationService } from './people/invitation.service.js';
import { MailAllowance } from './people/mail-allowance.js';
import { PasswordResolver } from './people/password.resolver.js';
import { PasswordService } from './people/password.service.js';
import { Passwords } from './people/passwords.js';
import { canSeeUser, PeopleReader } from './people/people.reader.js';
import {
  ApprovalRequestPeopleResolver,
  AuditActorResolver,
  DeveloperPeopleResolver,
  UserAdminResolver,
  UserResolver,
} from './people/people.resolver.js';
import { ProfileResolver } from './people/profile.resolver.js';
import { ProfileService } from './people/profile.service.js';
import { SessionResolver, seesSessions, sessionView, UserSessionsResolver } from './people/session.resolver.js';
import { SessionService } from './people/session.service.js';
import { UserService } from './people/user.service.js';
import { PrincipalReader } from './principal.reader.js';
import { RejectedCalls } from './rejected-calls.js';
import { Passkeys } from './second-factors/passkeys.js';
import { SecondFactorProofs } from './second-factors/proofs.js';
import { FactorRequirements } from './second-factors/requirement.js';
import { SecondFactorResolver } from './second-factors/second-factor.resolver.js';
import { SecondFactorService } from './second-factors/second-factor.service.js';
import { SecondFactorReader } from './second-factors/second-factor.store.js';
import { SecurityEventResolver } from './security-event.resolver.js';
import { SecurityEventStore } from './security-event.store.js';
import { SecurityLog } from './security-log.js';

export interface AccountsParts {
  base: Base;
  ledger: LedgerService;
  audit: AuditService;
  auditLog: AuditReader;
  settings: SettingsService;
  mails: Emails;
  counters: Counters;
  metrics: Metrics;
  endpoints: KeyEndpoints;
}

/** Creates the accounts module: developers with their API keys and tokens, and users with their passwords and sessions. */
export function createAccounts(parts: AccountsParts) {
  const { base, ledger, audit, settings, mails, counters, metrics, endpoints } = parts;
  const { config, log, pool, orm, rowKeys } = base;
  const { pepper, tokens: tokenLifetime } = config;
  const consoleUrl = config.publicUrls.console;
  const baseUrls = apiUrls(config);

  const events = new SecurityEventStore(pool, base.reads);
  const securityLog = new SecurityLog({
    events,
    log,
    count: (kind, reason) => metrics.counter('failedAttempts').add(1, kind, reason),
  });
  const rejectedCalls = new RejectedCalls(pool, log);
  const attempts = new Attempts(counters, securityLog, pepper);
  const passwords = new Passwords(rowKeys);
  const allowance = new MailAllowance(counters, pepper);
  const requirements = new FactorRequirements(config.secondFactor);
  const principals = new PrincipalReader(pool, {
    ...tokenLifetime,
    staffIdleMinutes: config.staffIdleMinutes,
    factorRequirements: requirements,
    rowKeys,
    log,
  });
  const tokens = new TokenService(pool, attempts, { ...tokenLifetime, rowKeys, baseUrls });
  const developers = new DeveloperService({ orm, ledger, audit, tokens: tokenLifetime, mails, consoleUrl });
  const reader = new DevelopersReader(pool, base.reads);
  const people = new PeopleReader(pool, base.encryption);
  const whiteLabels = new WhiteLabelService(orm, audit);
  const platformSettings = new PlatformSettings(orm, settings, audit);
  const credentials = new CredentialService({ orm, audit, rowKeys, endpoints, mails, consoleUrl });
  const users = new UserService({ orm, audit, passwords, mails, consoleUrl });
  const { twoPeople } = config;
  const mailed = { orm, passwords, rowKeys, attempts, allowance, mails, consoleUrl };
  const invitations = new InvitationService({ ...mailed, users, audit, twoPeople });
  const actions = accountDecisions({
    developers,
    users,
    invitations,
    whiteLabels,
    platform: platformSettings,
    twoPeople,
  });
  const approvals = new ApprovalFlow({ orm, audit, approvalRequests: new ApprovalRequestStore(pool) });
  const accountChanges = new AccountChangeService({
    orm,
    approvals,
    actions,
    developers,
    users,
    invitations,
    twoPeople,
    mails,
  });
  const passkeys = new Passkeys(consoleUrl, pepper);
  const proving = { orm, passkeys, encryption: base.encryption, counters, pepper, rowKeys, mails, consoleUrl };
  const proofs = new SecondFactorProofs(proving);
  const entering = { ...proving, audit, attempts, passwords, proofs, requirements };
  const sessions = new SessionService({ ...entering, db: pool, staffIdleMinutes: config.staffIdleMinutes });
  const factors = new SecondFactorService({ ...entering, sessions });
  const auth = new AuthResolver({ tokens, principals, baseUrls, rateLimitPerMinute: config.rateLimitPerMinute });
  const passwordChanges = new PasswordService({ ...mailed, users });
  const profiles = new ProfileService({ ...mailed, audit, encryption: base.encryption });

  const notes = new DeveloperNotesResolver(new Notes(orm, pool, audit));

  return {
    attempts,
    passwords,
    allowance,
    principals,
    rejectedCalls,
    developers,
    reader,
    whiteLabels,
    actions,
    accountChanges,
    people,
    search: new AccountSearch(base.reads, reader, people),
    platformSettings,
    credentials,
    tokens,
    clientTokens: new ClientTokenService(pool, rowKeys, config.rateLimitPerMinute),
    users,
    invitations,
    sessions,
    factors,
    room: {
      resolvers: {
        api: [auth],
        console: [
          new SessionResolver(sessions, reader, people),
          new SecondFactorResolver(factors, new SecondFactorReader(pool), people, accountChanges),
          new UserResolver(reader, people),
          new UserSessionsResolver(sessions, people),
          new DeveloperPeopleResolver(people),
          new AuditActorResolver(people),
          new SecurityEventResolver(events, people),
          new ApprovalRequestPeopleResolver(people),
          new PasswordResolver(passwordChanges),
          new DeveloperResolver(reader, parts.auditLog, rejectedCalls),
          new DeveloperConnectionResolver(reader),
          notes,
          new NoteAuthorResolver(people),
          new DeveloperVerbsResolver(accountChanges, reader),
          new ServiceAccessResolver(accountChanges, reader, people, rejectedCalls),
          new UserAdminResolver(people, invitations, accountChanges),
          new InvitationResolver(invitations, accountChanges),
          new ProfileResolver(profiles, people),
          new CredentialResolver(credentials, reader),
          new TestTokenResolver(new TestTokenService(orm, audit, rowKeys), baseUrls.uat),
          new PlatformResolver({
            accountChanges,
            reader,
            whiteLabels,
            settings: platformSettings,
          }),
        ],
      },
      nodes: { api: auth.nodes, console: { ...accountNodes(reader, people, sessions), Note: notes.node } },
      async close(): Promise<void> {
        await passwords.close();
        await securityLog.drain();
        await rejectedCalls.drain();
      },
    } satisfies Room,
  };
}

/** Creates the node loaders for users, developers, API keys and white labels. */
const accountNodes = (
  developers: DevelopersReader,
  people: PeopleReader,
  sessions: SessionService,
): Readonly<Record<'User' | 'Session' | 'Developer' | 'ServiceAccess' | 'Credential' | 'WhiteLabel', LoadNode>> => ({
  async User(key, context) {
    const user = isUuid(key) ? await people.find(key) : undefined;
    return user && canSeeUser(context, user) ? user : undefined;
  },
  async Session(key, context) {
    const row = isUuid(key) ? await sessions.find(key) : undefined;
    const user = row && (await people.find(row.userId));
    return user && seesSessions(context, user) ? sessionView(row, context) : undefined;
  },
  async Developer(key, context) {
    return isUuid(key) && canSeeAccount(context, key as DeveloperId) ? developers.find(key as DeveloperId) : undefined;
  },
  async ServiceAccess(key, context) {
    const [id = '', service] = key.split('.');
    if (!isUuid(id) || !canSeeAccount(context, id as DeveloperId) || !(await developers.find(id as DeveloperId)))
      return undefined;
    return (await developers.services(id as DeveloperId)).find((access) => access.service === service);
  },
  async Credential(key, context) {
    const owner = await developers.ownerOfKey(key);
    if (!owner || !canSeeAccount(context, owner)) return undefined;
    return (await developers.credentials(owner)).find(({ clientId }) => clientId === key);
  },
  async WhiteLabel(key, { principal }) {
    if (principal?.kind !== 'session' || principal.role === 'developer') return undefined;
    return developers.whiteLabel(key);
  },
});

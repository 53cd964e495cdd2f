import type { ReactNode } from 'react';
import { ActionDialog } from '../action-dialog.js';
import { TextField } from '../form.js';
import type { LimitsQuery, RechargeProvider } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Loaded } from '../loaded.js';
import { Card } from '../parts.js';
import { usePermission } from '../people.js';
import { useRead } from '../read.js';
import { showMessage } from '../toasts.js';
import { words } from '../words.js';
import type { Account } from './developer.js';
import { SetDuplicateGuard } from './duplicate-guard.js';
import { ProviderField } from './provider-field.js';

const LIMITS = graphql(`
  query Limits {
    defaults {
      rateLimitPerMinute
      tokenIdleDays
      tokenMaxDays
      twoPeople
    }
  }
`);
const SET_RATE = graphql(`
  mutation SetRateLimit($input: SetRateLimitInput!) {
    setRateLimit(input: $input) {
      developer {
        id
        rateLimitPerMinute
      }
    }
  }
`);
const RESET_RATE = graphql(`
  mutation ResetRateLimit($input: ResetRateLimitInput!) {
    resetRateLimit(input: $input) {
      developer {
        id
        rateLimitPerMinute
      }
    }
  }
`);
const SET_LIFE = graphql(`
  mutation SetTokenLifetime($input: SetTokenLifetimeInput!) {
    setTokenLifetime(input: $input) {
      developer {
        id
        tokenIdleDays
        tokenMaxDays
      }
    }
  }
`);
const RESET_LIFE = graphql(`
  mutation ResetTokenLifetime($input: ResetTokenLifetimeInput!) {
    resetTokenLifetime(input: $input) {
      developer {
        id
        tokenIdleDays
        tokenMaxDays
      }
    }
  }
`);
const ASSIGN = graphql(`
  mutation AssignToDeveloper($input: AssignRechargeProviderInput!) {
    assignRechargeProvider(input: $input) {
      developer {
        id
        rechargeProvider
      }
      approvalRequest {
        id
      }
    }
  }
`);

const said = words.limits;
type Defaults = NonNullable<LimitsQuery['defaults']>;
interface Of {
  account: Account;
  usual: Defaults;
}

/** What an account may do how often and how long, and who performs its recharges; beside what is usual. */
export function Limits({ account, reload }: { account: Account; reload: () => void }): ReactNode {
  const [read, again] = useRead({ query: LIMITS });
  return (
    <Card title={said.title}>
      <Loaded read={read} retry={() => again({ requestPolicy: 'network-only' })} rows={4}>
        {({ defaults }) =>
          defaults ? (
            <ul className="list">
              <Rate account={account} usual={defaults} />
              <Life account={account} usual={defaults} />
              <li>
                <Fact name={words.guard.title}>{words.guard.state(account.duplicateGuardSeconds)}</Fact>
                {account.closedAt ? null : <SetDuplicateGuard developer={account} />}
              </li>
              <Performer account={account} usual={defaults} reload={reload} />
            </ul>
          ) : null
        }
      </Loaded>
    </Card>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }): ReactNode => (
  <div>
    <strong>{name}</strong>
    <p className="quiet">{children}</p>
  </div>
);

const WholeNumber = ({ name, label, start }: { name: string; label: string; start: number }): ReactNode => (
  <TextField
    name={name}
    label={label}
    initialValue={String(start)}
    inputMode="numeric"
    pattern="[0-9]{1,9}"
    title={said.whole}
    required
  />
);

function Rate({ account: { id, name, closedAt, rateLimitPerMinute: own }, usual }: Of): ReactNode {
  const canChange = usePermission('setRateLimit') && !closedAt;
  const usualText = said.perMinute(usual.rateLimitPerMinute);
  return (
    <li>
      <Fact name={said.rate}>{own === null ? said.withDefault(usualText) : said.perMinute(own)}</Fact>
      {canChange && own !== null ? (
        <ActionDialog
          document={RESET_RATE}
          toVariables={() => ({ input: { developerId: id } })}
          onDone={() => showMessage(said.rateReset(name))}
          name={said.reset}
          title={said.rateResetTitle(name)}
          text={said.rateResetText(usual.rateLimitPerMinute)}
          submit={said.save}
        />
      ) : null}
      {canChange ? (
        <ActionDialog
          document={SET_RATE}
          toVariables={({ perMinute }) => ({ input: { developerId: id, perMinute: Number(perMinute) } })}
          onDone={(data) => showMessage(said.rateDone(name, data.setRateLimit?.developer.rateLimitPerMinute ?? 0))}
          name={said.change}
          title={said.of(said.rate, name)}
          text={said.rateText}
          submit={said.save}
        >
          <WholeNumber name="perMinute" label={said.ratePerMinute} start={own ?? usual.rateLimitPerMinute} />
        </ActionDialog>
      ) : null}
    </li>
  );
}

function Life({ account: { id, name, closedAt, tokenIdleDays, tokenMaxDays }, usual }: Of): ReactNode {
  const canChange = usePermission('setTokenLifetime') && !closedAt;
  const isUsual = tokenIdleDays === null && tokenMaxDays === null;
  const idleDays = tokenIdleDays ?? usual.tokenIdleDays;
  const maxDays = tokenMaxDays ?? usual.tokenMaxDays;
  const text = said.days(idleDays, maxDays);
  return (
    <li>
      <Fact name={said.tokenLifetime}>{isUsual ? said.withDefault(text) : text}</Fact>
      {canChange && !isUsual ? (
        <ActionDialog
          document={RESET_LIFE}
          toVariables={() => ({ input: { developerId: id } })}
          onDone={() => showMessage(said.tokenLifetimeReset(name))}
          name={said.reset}
          title={said.tokenLifetimeResetTitle(name)}
          text={said.tokenLifetimeResetText}
          submit={said.save}
        />
      ) : null}
      {canChange ? (
        <ActionDialog
          document={SET_LIFE}
          toVariables={(typed) => ({
            input: { developerId: id, idleDays: Number(typed.idleDays), maxDays: Number(typed.maxDays) },
          })}
          onDone={() => showMessage(said.tokenLifetimeDone(name))}
          name={said.change}
          title={said.of(said.tokenLifetime, name)}
          text={said.tokenLifetimeText}
          submit={said.save}
        >
          <WholeNumber name="idleDays" label={said.idleDays} start={idleDays} />
          <WholeNumber name="maxDays" label={said.maxDays} start={maxDays} />
        </ActionDialog>
      ) : null}
    </li>
  );
}

/** Below a white label it is the label's, which has a page of its own. */
function Performer({
  account: { id, name, closedAt, rechargeProvider, whiteLabel },
  usual,
  reload,
}: Of & { reload: () => void }): ReactNode {
  const canAssign = usePermission('assignRechargeProvider') && !closedAt;
  const provider = words.providers[rechargeProvider];
  return (
    <li>
      <Fact name={said.provider}>{whiteLabel ? `${provider}, ${said.byLabel(whiteLabel.name)}` : provider}</Fact>
      {canAssign && !whiteLabel ? (
        <ActionDialog
          document={ASSIGN}
          toVariables={(typed) => ({
            input: { developerId: id, provider: typed.rechargeProvider as RechargeProvider },
          })}
          onDone={({ assignRechargeProvider: done }) => {
            const title = said.of(said.provider, name);
            const now = done?.developer?.rechargeProvider ?? rechargeProvider;
            showMessage(
              done?.approvalRequest
                ? words.common.pendingApproval(title)
                : said.providerDone(name, words.providers[now]),
            );
            reload();
          }}
          name={said.change}
          title={said.of(said.provider, name)}
          text={said.providerText}
          submit={said.providerSubmit}
        >
          <ProviderField value={rechargeProvider} />
          <p className="hint">
            {usual.twoPeople.includes('PROVIDER') ? (
              <strong>{said.secondApprover}</strong>
            ) : (
              words.decisions.noSecondApprover
            )}
          </p>
        </ActionDialog>
      ) : null}
    </li>
  );
}

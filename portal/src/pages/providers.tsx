import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ActionDialog } from '../action-dialog.js';
import { useEnvironment } from '../environment.js';
import { TextField } from '../form.js';
import { duration, rupees } from '../format.js';
import type { ProvidersQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Loaded, useRefetchWhile } from '../loaded.js';
import { ageOf, Badge, Card, PageHead, Timestamp, useTitle } from '../parts.js';
import { usePermission } from '../people.js';
import { useRead } from '../read.js';
import { showMessage } from '../toasts.js';
import { words } from '../words.js';
import { OrderPauseCard } from './order-pause.js';

const PROVIDERS = graphql(`
  query Providers {
    providers {
      provider
      environment
      available
      unavailableReason
      breaker
      successRate
      p95Ms
      pendingPayments
      pendingAmount
      oldestPendingAt
      exposureLimit
      float
      floatAt
    }
    defaults {
      twoPeople
    }
    approvalRequests(first: 1, filter: { state: [PENDING], action: [SET_PROVIDER_AVAILABILITY] }) {
      totalCount
    }
    resumptions: approvalRequests(first: 1, filter: { state: [PENDING], action: [RESUME_ORDERS] }) {
      totalCount
    }
    environments {
      environment
      orderPause {
        notice
        since
      }
    }
  }
`);
const SWITCH = graphql(`
  mutation SwitchProvider($input: SetProviderAvailabilityInput!) {
    setProviderAvailability(input: $input) {
      health {
        provider
        environment
        available
        unavailableReason
      }
      approvalRequest {
        id
      }
    }
  }
`);

const said = words.providerHealth;
const AGAIN_MS = 10_000;
type Health = NonNullable<ProvidersQuery['providers']>[number];

/** How the providers of the chosen environment do, and the switch of each. */
export function Providers(): ReactNode {
  useTitle(said.title);
  const environment = useEnvironment();
  const [read, again] = useRead({ query: PROVIDERS });
  const reload = (): void => again({ requestPolicy: 'network-only' });
  useRefetchWhile([read, again], AGAIN_MS);
  return (
    <>
      <PageHead title={said.title} lead={said.lead[environment]} />
      <Loaded read={read} retry={reload} rows={6}>
        {({ providers, defaults, approvalRequests, resumptions, environments }) => (
          <div className="stack">
            {approvalRequests?.totalCount ? (
              <section className="notice asks">
                <Link to="/approval-requests" search={{ action: 'SET_PROVIDER_AVAILABILITY' }}>
                  {said.pendingRequests(approvalRequests.totalCount)}
                </Link>
              </section>
            ) : null}
            {resumptions?.totalCount ? (
              <section className="notice asks">
                <Link to="/approval-requests" search={{ action: 'RESUME_ORDERS' }}>
                  {words.orderPause.pendingRequests(resumptions.totalCount)}
                </Link>
              </section>
            ) : null}
            {(environments ?? [])
              .filter((one) => one.environment === environment)
              .map((about) => (
                <OrderPauseCard key={about.environment} about={about} takesTwo={needsTwo(defaults)} reload={reload} />
              ))}
            <div className="columns wallets">
              {(providers ?? [])
                .filter((one) => one.environment === environment)
                .map((health) => (
                  <ProviderCard key={health.provider} health={health} takesTwo={needsTwo(defaults)} reload={reload} />
                ))}
            </div>
          </div>
        )}
      </Loaded>
    </>
  );
}

/** To switch something on again. */
const needsTwo = (defaults: ProvidersQuery['defaults']): boolean => defaults?.twoPeople.includes('SWITCHES') === true;

/** Providers of lookups and leads have no pending payments. */
const isPaid = ({ exposureLimit, pendingPayments }: Health): boolean =>
  typeof exposureLimit === 'number' || pendingPayments > 0;

interface Shown {
  health: Health;
  /** To switch it on again. */
  takesTwo: boolean;
  reload: () => void;
}

function ProviderCard({ health, takesTwo, reload }: Shown): ReactNode {
  const { provider, environment, available, unavailableReason, breaker, successRate, p95Ms, float, floatAt } = health;
  const canSwitch = usePermission('setProviderAvailability');
  return (
    <Card
      title={words.providerNames[provider]}
      edge={environment === 'PRODUCTION' ? 'live' : 'uat'}
      side={<Badge tone={available ? 'good' : 'bad'}>{available ? said.on : said.off}</Badge>}
    >
      <dl className="facts">
        {available ? null : (
          <>
            <dt>{said.why}</dt>
            <dd>{unavailableReason}</dd>
          </>
        )}
        <dt>{said.calls}</dt>
        <dd>
          <Badge tone={breaker === 'CLOSED' ? 'good' : breaker === 'OPEN' ? 'bad' : 'wait'}>
            {said.breakers[breaker]}
          </Badge>
        </dd>
        <dt>{said.success}</dt>
        <dd>{typeof successRate === 'number' ? said.rate(successRate) : said.noCalls}</dd>
        {typeof p95Ms === 'number' ? (
          <>
            <dt>{said.p95}</dt>
            <dd>{duration(p95Ms)}</dd>
          </>
        ) : null}
        {isPaid(health) ? <Pending health={health} /> : null}
        {typeof float === 'number' && floatAt ? (
          <>
            <dt>{said.float}</dt>
            <dd>
              {rupees(float)} · <Timestamp at={floatAt} />
            </dd>
          </>
        ) : null}
      </dl>
      {canSwitch ? (
        <div className="form-actions">
          <Switch health={health} takesTwo={takesTwo} reload={reload} />
        </div>
      ) : null}
    </Card>
  );
}

/** What nobody knows the outcome of, beside what may be unknown before nothing new is sent. */
function Pending({ health }: { health: Health }): ReactNode {
  const { pendingPayments, pendingAmount, oldestPendingAt, exposureLimit } = health;
  return (
    <>
      <dt>{said.pending}</dt>
      <dd>
        {pendingPayments === 0 ? said.none : said.payments(pendingPayments, rupees(pendingAmount))}
        {oldestPendingAt ? ` · ${words.work.oldest(ageOf(oldestPendingAt))}` : null}
        {typeof exposureLimit === 'number' ? (
          <>
            <meter min={0} max={exposureLimit} high={exposureLimit / 2} optimum={0} value={pendingAmount}>
              {rupees(pendingAmount)}
            </meter>
            <span className="quiet small">{said.limit(rupees(exposureLimit))}</span>
          </>
        ) : null}
      </dd>
    </>
  );
}

/** Says before the click what will happen, and whether one person is enough. */
function Switch({ health: { provider, environment, available }, takesTwo, reload }: Shown): ReactNode {
  const name = words.providerNames[provider];
  const next = !available;
  const waits = next && takesTwo;
  return (
    <ActionDialog
      document={SWITCH}
      toVariables={({ reason = '' }) => ({ input: { provider, environment, available: next, reason } })}
      onDone={({ setProviderAvailability }) => {
        showMessage(
          setProviderAvailability?.approvalRequest
            ? words.common.pendingApproval(said.turn(name, next))
            : said.turned(name, next),
        );
        reload();
      }}
      name={said.turn(name, next)}
      title={said.ask(name, next, words.environments[environment])}
      text={next ? said.onText : said.offText}
      kind={next ? 'plain' : 'bad'}
      live={environment === 'PRODUCTION'}
    >
      <TextField
        name="reason"
        label={words.common.reason}
        hint={next ? said.reasonOn : said.reasonOff}
        maxLength={500}
        required
        autoFocus
      />
      <p className="hint">{waits ? <strong>{said.secondApprover}</strong> : words.decisions.noSecondApprover}</p>
    </ActionDialog>
  );
}

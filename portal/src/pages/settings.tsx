import { Fragment, type ReactNode } from 'react';
import { ActionDialog } from '../action-dialog.js';
import { TextField } from '../form.js';
import { rupees } from '../format.js';
import type { SettingsQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Loaded } from '../loaded.js';
import { Badge, Card, PageHead, useTitle } from '../parts.js';
import { usePermission } from '../people.js';
import { useRead } from '../read.js';
import { showMessage } from '../toasts.js';
import { words } from '../words.js';

const SETTINGS = graphql(`
  query Settings {
    defaultLeadCustomers {
      environment
      customerId
    }
    defaults {
      rateLimitPerMinute
      tokenIdleDays
      tokenMaxDays
      creditApprovalAbove
      creditDailyLimit
      resolutionApprovalAbove
      feeApprovalAbove
      twoPeople
    }
  }
`);
const SET = graphql(`
  mutation SetDefaultLeadCustomer($input: SetDefaultLeadCustomerInput!) {
    setDefaultLeadCustomer(input: $input) {
      environment
      customerId
    }
  }
`);

const said = words.settings;
type Customer = NonNullable<SettingsQuery['defaultLeadCustomers']>[number];

/** What counts for the whole platform. */
export function Settings(): ReactNode {
  useTitle(said.title);
  const [read, again] = useRead({ query: SETTINGS });
  const reload = (): void => again({ requestPolicy: 'network-only' });
  return (
    <>
      <PageHead title={said.title} lead={said.lead} />
      <Loaded read={read} retry={reload} rows={3}>
        {({ defaultLeadCustomers, defaults }) => (
          <div className="stack">
            <div className="columns">
              {defaultLeadCustomers?.map((customer) => (
                <CustomerCard key={customer.environment} customer={customer} reload={reload} />
              ))}
            </div>
            {defaults ? <LimitsCard defaults={defaults} /> : null}
          </div>
        )}
      </Loaded>
    </>
  );
}

/** What nobody changes here, to know before one asks why something waits or is refused. */
function LimitsCard({ defaults }: { defaults: NonNullable<SettingsQuery['defaults']> }): ReactNode {
  const { creditApprovalAbove, creditDailyLimit, resolutionApprovalAbove, feeApprovalAbove, twoPeople } = defaults;
  const facts: [string, string][] = [
    [words.limits.rate, words.limits.perMinute(defaults.rateLimitPerMinute)],
    [words.limits.tokenLifetime, words.limits.days(defaults.tokenIdleDays, defaults.tokenMaxDays)],
    [said.credits, said.creditsAbove(rupees(creditApprovalAbove), rupees(creditDailyLimit))],
    [said.resolutions, said.above(rupees(resolutionApprovalAbove))],
    ...twoPeople.map((one): [string, string] => [
      words.twoPeople[one],
      one === 'FEES' ? said.above(rupees(feeApprovalAbove)) : said.always,
    ]),
  ];
  return (
    <Card title={said.limits}>
      <div className="stack">
        <p className="quiet">{said.limitsText}</p>
        <dl className="facts">
          {facts.map(([name, fact]) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{fact}</dd>
            </Fragment>
          ))}
        </dl>
      </div>
    </Card>
  );
}

function CustomerCard({
  customer: { environment, customerId },
  reload,
}: {
  customer: Customer;
  reload: () => void;
}): ReactNode {
  const canChange = usePermission('setDefaultLeadCustomer');
  const isLive = environment === 'PRODUCTION';
  const where = words.environments[environment];
  return (
    <Card
      title={said.leads}
      edge={isLive ? 'live' : 'uat'}
      side={<Badge tone={isLive ? 'live' : 'good'}>{where}</Badge>}
    >
      <div className="stack">
        <p className="quiet">{said.leadsText}</p>
        {customerId ? (
          <p>
            <code>{customerId}</code>
          </p>
        ) : (
          <p>
            <strong>{said.notSet}</strong>
          </p>
        )}
        {canChange ? (
          <div className="form-actions">
            <ActionDialog
              document={SET}
              toVariables={({ customerId: to }) => ({ input: { environment, customerId: to! } })}
              onDone={() => {
                showMessage(said.done(where));
                reload();
              }}
              name={said.set}
              title={said.setTitle(where)}
              text={said.setText}
              submit={said.setSubmit(where)}
              kind={isLive ? 'live' : 'main'}
              live={isLive}
            >
              <TextField
                name="customerId"
                label={said.customer}
                hint={said.customerHint}
                maxLength={200}
                required
                autoFocus
              />
            </ActionDialog>
          </div>
        ) : null}
      </div>
    </Card>
  );
}

import type { ReactNode } from 'react';
import { ActionDialog } from '../action-dialog.js';
import { TextField } from '../form.js';
import type { ProvidersQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Badge, Card, Timestamp } from '../parts.js';
import { usePermission } from '../people.js';
import { showMessage } from '../toasts.js';
import { words } from '../words.js';

const PAUSE = graphql(`
  mutation PauseOrders($input: PauseOrdersInput!) {
    pauseOrders(input: $input) {
      environment {
        environment
        orderPause {
          notice
          since
        }
      }
    }
  }
`);

const RESUME = graphql(`
  mutation ResumeOrders($input: ResumeOrdersInput!) {
    resumeOrders(input: $input) {
      environment {
        environment
        orderPause {
          notice
          since
        }
      }
      approvalRequest {
        id
      }
    }
  }
`);

const said = words.orderPause;

interface Shown {
  about: NonNullable<ProvidersQuery['environments']>[number];
  /** Whether resuming orders requires approval. */
  takesTwo: boolean;
  reload: () => void;
}

/** Whether new orders of an environment are accepted, with the buttons to pause and resume them. */
export function OrderPauseCard({ about, takesTwo, reload }: Shown): ReactNode {
  const { environment, orderPause } = about;
  const canSwitch = usePermission('pauseOrders');
  return (
    <Card
      title={said.title}
      edge={environment === 'PRODUCTION' ? 'live' : 'uat'}
      side={<Badge tone={orderPause ? 'bad' : 'good'}>{orderPause ? said.paused : said.accepted}</Badge>}
    >
      {orderPause ? (
        <dl className="facts">
          <dt>{said.notice}</dt>
          <dd>{orderPause.notice}</dd>
          <dt>{said.pausedSince}</dt>
          <dd>
            <Timestamp at={orderPause.since} />
          </dd>
        </dl>
      ) : (
        <p className="quiet">{said.lead}</p>
      )}
      {canSwitch ? (
        <div className="form-actions">
          <Pause about={about} reload={reload} />
          {orderPause ? <Resume about={about} takesTwo={takesTwo} reload={reload} /> : null}
        </div>
      ) : null}
    </Card>
  );
}

/** Pauses orders, or changes the notice of the pause. */
function Pause({ about: { environment, orderPause }, reload }: Omit<Shown, 'takesTwo'>): ReactNode {
  const where = words.environments[environment];
  return (
    <ActionDialog
      document={PAUSE}
      toVariables={({ notice = '', reason }) => ({ input: { environment, notice, reason: reason || null } })}
      onDone={() => {
        showMessage(orderPause ? said.changed : said.done(where, true));
        reload();
      }}
      name={orderPause ? said.change : said.pause}
      title={orderPause ? said.changeAsk(where) : said.ask(where, true)}
      text={orderPause ? said.changeText : said.pauseText}
      submit={orderPause ? said.change : said.turn(where, true)}
      kind={orderPause ? 'plain' : 'bad'}
      live={environment === 'PRODUCTION'}
    >
      <TextField
        name="notice"
        label={said.notice}
        hint={said.noticeHint}
        initialValue={orderPause?.notice ?? ''}
        maxLength={200}
        required
        autoFocus
      />
      <TextField name="reason" label={said.reasonPause} hint={said.reasonPauseHint} maxLength={500} />
      <p className="hint">{words.decisions.noSecondApprover}</p>
    </ActionDialog>
  );
}

/** Resumes orders; shows before the click whether that requires approval. */
function Resume({ about: { environment }, takesTwo, reload }: Shown): ReactNode {
  const where = words.environments[environment];
  return (
    <ActionDialog
      document={RESUME}
      toVariables={({ reason = '' }) => ({ input: { environment, reason } })}
      onDone={({ resumeOrders }) => {
        showMessage(
          resumeOrders?.approvalRequest
            ? words.common.pendingApproval(said.turn(where, false))
            : said.done(where, false),
        );
        reload();
      }}
      name={said.resume}
      title={said.ask(where, false)}
      text={said.resumeText}
      submit={said.turn(where, false)}
      live={environment === 'PRODUCTION'}
    >
      <TextField
        name="reason"
        label={words.common.reason}
        hint={said.reasonResume}
        maxLength={500}
        required
        autoFocus
      />
      <p className="hint">{takesTwo ? <strong>{said.secondApprover}</strong> : words.decisions.noSecondApprover}</p>
    </ActionDialog>
  );
}

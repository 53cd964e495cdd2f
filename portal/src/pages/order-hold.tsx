import type { ReactNode } from 'react';
import { Ask } from '../ask.js';
import { TextField } from '../form.js';
import type { ProvidersQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { At, Badge, Card } from '../parts.js';
import { useMay } from '../people.js';
import { say } from '../toasts.js';
import { words } from '../words.js';

const HOLD = graphql(`
  mutation HoldOrders($input: SetOrderHoldInput!) {
    setOrderHold(input: $input) {
      environment {
        environment
        orderHold {
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

const said = words.orderHold;

interface Shown {
  about: NonNullable<ProvidersQuery['environments']>[number];
  /** That they are taken again. */
  takesTwo: boolean;
  reload: () => void;
}

/** Whether new orders of an environment are taken, whoever would perform them, and the switch. */
export function OrderHoldCard({ about, takesTwo, reload }: Shown): ReactNode {
  const { environment, orderHold } = about;
  const maySwitch = useMay('setOrderHold');
  return (
    <Card
      title={said.title}
      edge={environment === 'PRODUCTION' ? 'live' : 'uat'}
      side={<Badge tone={orderHold ? 'bad' : 'good'}>{orderHold ? said.held : said.taken}</Badge>}
    >
      {orderHold ? (
        <dl className="facts">
          <dt>{said.notice}</dt>
          <dd>{orderHold.notice}</dd>
          <dt>{said.heldSince}</dt>
          <dd>
            <At at={orderHold.since} />
          </dd>
        </dl>
      ) : (
        <p className="quiet">{said.lead}</p>
      )}
      {maySwitch ? (
        <div className="form-actions">
          <Hold about={about} reload={reload} />
          {orderHold ? <Release about={about} takesTwo={takesTwo} reload={reload} /> : null}
        </div>
      ) : null}
    </Card>
  );
}

/** Holds them, or says something else of those that are held. */
function Hold({ about: { environment, orderHold }, reload }: Omit<Shown, 'takesTwo'>): ReactNode {
  const where = words.environments[environment];
  return (
    <Ask
      document={HOLD}
      given={({ notice = '', reason }) => ({ input: { environment, held: true, notice, reason: reason || null } })}
      onDone={() => {
        say(orderHold ? said.changed : said.done(where, true));
        reload();
      }}
      name={orderHold ? said.change : said.hold}
      title={orderHold ? said.changeAsk(where) : said.ask(where, true)}
      text={orderHold ? said.changeText : said.holdText}
      submit={orderHold ? said.change : said.turn(where, true)}
      kind={orderHold ? 'plain' : 'bad'}
      live={environment === 'PRODUCTION'}
    >
      <TextField
        name="notice"
        label={said.notice}
        hint={said.noticeHint}
        start={orderHold?.notice ?? ''}
        maxLength={200}
        required
        autoFocus
      />
      <TextField name="reason" label={said.reasonHeld} hint={said.reasonHeldHint} maxLength={500} />
      <p className="hint">{words.decisions.alone}</p>
    </Ask>
  );
}

/** Says before the click whether one person is enough. */
function Release({ about: { environment }, takesTwo, reload }: Shown): ReactNode {
  const where = words.environments[environment];
  return (
    <Ask
      document={HOLD}
      given={({ reason = '' }) => ({ input: { environment, held: false, reason } })}
      onDone={({ setOrderHold }) => {
        say(setOrderHold?.approvalRequest ? words.common.waits(said.turn(where, false)) : said.done(where, false));
        reload();
      }}
      name={said.release}
      title={said.ask(where, false)}
      text={said.releaseText}
      submit={said.turn(where, false)}
      live={environment === 'PRODUCTION'}
    >
      <TextField
        name="reason"
        label={words.common.reason}
        hint={said.reasonReleased}
        maxLength={500}
        required
        autoFocus
      />
      <p className="hint">{takesTwo ? <strong>{said.second}</strong> : words.decisions.alone}</p>
    </Ask>
  );
}

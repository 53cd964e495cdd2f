import { type ReactNode, useState } from 'react';
import { ActionDialog } from '../action-dialog.js';
import { useRequiresApproval } from '../approval-rules.js';
import { Choice, TextField } from '../form.js';
import type { RechargeProvider } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { useRead } from '../read.js';
import { showMessage } from '../toasts.js';
import { words } from '../words.js';
import { ProviderField } from './provider-field.js';
import type { Label } from './white-labels.js';

const CANDIDATES = graphql(`
  query LabelCandidates($search: String!) {
    developers(first: 10, filter: { search: $search, closed: false }) {
      edges {
        node {
          id
          name
          email
          rechargeProvider
          whiteLabel {
            id
            name
          }
        }
      }
    }
  }
`);
const RENAME = graphql(`
  mutation RenameWhiteLabel($input: RenameWhiteLabelInput!) {
    renameWhiteLabel(input: $input) {
      whiteLabel {
        id
        name
      }
    }
  }
`);
const DISABLE = graphql(`
  mutation DisableWhiteLabel($input: DisableWhiteLabelInput!) {
    disableWhiteLabel(input: $input) {
      whiteLabel {
        id
        disabledAt
      }
    }
  }
`);
const ENABLE = graphql(`
  mutation EnableWhiteLabel($input: EnableWhiteLabelInput!) {
    enableWhiteLabel(input: $input) {
      whiteLabel {
        id
        disabledAt
      }
    }
  }
`);
const ASSIGN = graphql(`
  mutation AssignToLabel($input: AssignRechargeProviderInput!) {
    assignRechargeProvider(input: $input) {
      whiteLabel {
        id
        rechargeProvider
      }
      approvalRequest {
        id
      }
    }
  }
`);
const MOVE_IN = graphql(`
  mutation MoveToWhiteLabel($input: MoveToWhiteLabelInput!) {
    moveToWhiteLabel(input: $input) {
      approvalRequest {
        id
      }
      developer {
        id
        rechargeProvider
        whiteLabel {
          id
          name
        }
      }
    }
  }
`);
const MOVE_OUT = graphql(`
  mutation RemoveFromWhiteLabel($input: RemoveFromWhiteLabelInput!) {
    removeFromWhiteLabel(input: $input) {
      approvalRequest {
        id
      }
      developer {
        id
        rechargeProvider
        whiteLabel {
          id
          name
        }
      }
    }
  }
`);

const said = words.whiteLabels;
/** Which provider a move is to, and who decides it: a second person where that is another one than before. */
function Move({ from, to }: { from: RechargeProvider; to: RechargeProvider }): ReactNode {
  const needsTwo = useRequiresApproval('PROVIDER') && from !== to;
  return (
    <p className="hint">
      {from === to ? said.sameProvider(words.providers[to]) : said.otherProvider(words.providers[to])}{' '}
      {needsTwo ? <strong>{said.secondApprover}</strong> : words.decisions.noSecondApprover}
    </p>
  );
}

export const Enable = ({ label: { id, name } }: { label: Label }): ReactNode => (
  <ActionDialog
    document={ENABLE}
    toVariables={({ reason }) => ({ input: { whiteLabelId: id, reason: reason! } })}
    onDone={() => showMessage(said.enabledDone(name))}
    name={said.enable}
    title={said.enableTitle(name)}
    text={said.enableText}
    submit={said.enableSubmit(name)}
  >
    <TextField name="reason" label={words.decisions.reason} maxLength={500} required autoFocus />
    <p className="hint">{words.decisions.noSecondApprover}</p>
  </ActionDialog>
);

export const MoveOut = ({
  developer,
  label,
  done,
}: {
  developer: { id: string; name: string; ownRechargeProvider: RechargeProvider };
  label: Label;
  done: () => void;
}): ReactNode => (
  <ActionDialog
    document={MOVE_OUT}
    toVariables={() => ({ input: { developerId: developer.id } })}
    onDone={(data) => {
      const waits = data.removeFromWhiteLabel?.approvalRequest;
      showMessage(waits ? words.common.pendingApproval(developer.name) : said.removed(developer.name, label.name));
      done();
    }}
    name={said.remove}
    title={said.removeTitle(developer.name, label.name)}
    text={said.removeText}
    submit={said.removeSubmit(developer.name)}
    kind="bad"
  >
    <Move from={label.rechargeProvider} to={developer.ownRechargeProvider} />
  </ActionDialog>
);

export function LabelActions({
  label: { id, name, rechargeProvider },
  isEmpty,
  reload,
  refresh,
}: {
  label: Label;
  isEmpty: boolean;
  reload: () => void;
  refresh: () => void;
}): ReactNode {
  const needsTwo = useRequiresApproval('PROVIDER');
  return (
    <div className="form-actions">
      <MoveIn label={{ id, name, rechargeProvider }} done={refresh} />
      <ActionDialog
        document={ASSIGN}
        toVariables={({ rechargeProvider: provider }) => ({
          input: { whiteLabelId: id, provider: provider as RechargeProvider },
        })}
        onDone={(data) => {
          const waits = data.assignRechargeProvider?.approvalRequest;
          showMessage(waits ? words.common.pendingApproval(name) : said.assigned(name));
          reload();
        }}
        name={said.assign}
        title={said.assignTitle(name)}
        text={said.assignText}
        submit={said.assignSubmit}
      >
        <ProviderField value={rechargeProvider} />
        <p className="hint">
          {needsTwo ? <strong>{words.limits.secondApprover}</strong> : words.decisions.noSecondApprover}
        </p>
      </ActionDialog>
      <ActionDialog
        document={RENAME}
        toVariables={({ name: to }) => ({ input: { whiteLabelId: id, name: to! } })}
        onDone={(data) => showMessage(said.renamed(name, data.renameWhiteLabel?.whiteLabel.name ?? ''))}
        name={said.rename}
        title={said.renameTitle(name)}
        submit={said.renameSubmit}
      >
        <TextField name="name" label={said.name} maxLength={100} required autoFocus placeholder={name} />
      </ActionDialog>
      {isEmpty ? (
        <ActionDialog
          document={DISABLE}
          toVariables={({ reason }) => ({ input: { whiteLabelId: id, reason: reason! } })}
          onDone={() => showMessage(said.disabledDone(name))}
          name={said.disable}
          title={said.disableTitle(name)}
          text={said.disableText}
          submit={said.disableSubmit(name)}
          kind="bad"
        >
          <TextField name="reason" label={words.decisions.reason} maxLength={500} required autoFocus />
          <p className="hint">{words.decisions.noSecondApprover}</p>
        </ActionDialog>
      ) : null}
    </div>
  );
}

/** Which account, by its name: the ids that the console wants are not what people know. */
function MoveIn({ label, done }: { label: Omit<Label, 'disabledAt'>; done: () => void }): ReactNode {
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<string>();
  const [read] = useRead({ query: CANDIDATES, variables: { search }, pause: search.length < 2 });
  const found = (search.length < 2 ? [] : (read.data?.developers?.edges ?? [])).map(({ node }) => node);
  const candidates = found.filter(({ whiteLabel }) => whiteLabel?.id !== label.id);
  const moved = candidates.find(({ id }) => id === chosen);
  return (
    <ActionDialog
      document={MOVE_IN}
      toVariables={() => ({ input: { developerId: chosen!, whiteLabelId: label.id } })}
      onDone={(data) => {
        const name = moved?.name ?? '';
        showMessage(
          data.moveToWhiteLabel?.approvalRequest ? words.common.pendingApproval(name) : said.added(name, label.name),
        );
        done();
      }}
      name={said.add}
      title={said.addTitle(label.name)}
      text={said.addText}
      submit={said.addSubmit}
      ready={chosen !== undefined}
      onOpen={() => {
        setSearch('');
        setChosen(undefined);
      }}
    >
      <TextField
        name="search"
        label={said.find}
        value={search}
        onChange={({ target }) => {
          setSearch(target.value);
          setChosen(undefined);
        }}
        autoFocus
      />
      {candidates.map(({ id, name, email, whiteLabel }) => (
        <Choice
          key={id}
          name="developer"
          title={name}
          hint={whiteLabel ? said.now(whiteLabel.name) : email}
          checked={chosen === id}
          onChange={() => setChosen(id)}
        />
      ))}
      {search.length >= 2 && !read.fetching && candidates.length === 0 ? (
        <p className="quiet">{words.developers.none}</p>
      ) : null}
      {moved ? <Move from={moved.rechargeProvider} to={label.rechargeProvider} /> : null}
    </ActionDialog>
  );
}

import { Switch } from '@base-ui/react/switch';
import { type ReactNode, useState } from 'react';
import { useFeeRequiresApproval } from '../approval-rules.js';
import { moment, rupees } from '../format.js';
import type { Service } from '../generated/documents.js';
import { Button } from '../parts.js';
import { usePermission } from '../people.js';
import { useServiceAccess } from '../service-access.js';
import { words } from '../words.js';

const said = words.access;

export interface Access {
  service: Service;
  enabled: boolean;
  fee: number;
  changedAt: string | null;
  changedBy: { name: string } | null;
}
interface Given {
  developer: { id: string; name: string; closedAt?: string | null };
  access: Access;
}

/** One service of one developer, and its fee. Whoever only reads sees both, and nobody changes them of a closed account. */
export function Toggle({ developer, access }: Given): ReactNode {
  const { service, enabled, changedAt, changedBy } = access;
  const { set } = useServiceAccess();
  const canChange = usePermission('setServiceAccessMany') && !developer.closedAt;
  const name = words.services[service];
  const switchTo = (isOn: boolean) =>
    set([{ developerId: developer.id, service, enabled: isOn }], {
      done: said.changed(developer.name, name, isOn),
      subject: said.of(developer.name, name),
      failed: said.notChanged(developer.name, name, !isOn),
    });
  return (
    <span className="toggle" title={changedAt && changedBy ? said.by(changedBy.name, moment(changedAt)) : undefined}>
      <Switch.Root
        className="switch"
        checked={enabled}
        disabled={!canChange}
        onCheckedChange={(isOn) => void switchTo(isOn)}
        aria-label={said.switch(name, developer.name)}
      >
        <Switch.Thumb />
      </Switch.Root>
      <Fee developer={developer} access={access} canChange={canChange} />
    </span>
  );
}

/** A fee in rupees as people type it; undefined where it is none. */
export const feeOf = (text: string): number | undefined =>
  /^\d{1,5}(\.\d{1,2})?$/.test(text.trim()) ? Number(text) : undefined;

function Fee({ developer, access: { service, enabled, fee }, canChange }: Given & { canChange: boolean }): ReactNode {
  const { set, isRunning } = useServiceAccess();
  const [typed, setTyped] = useState<string>();
  const name = words.services[service];
  const next = typed === undefined ? undefined : feeOf(typed);
  const needsTwo = useFeeRequiresApproval(next) && next !== fee;
  const shown = fee > 0 ? rupees(fee) : enabled ? said.free : undefined;
  if (!canChange) return <span className="quiet small">{enabled ? shown : null}</span>;
  if (typed === undefined)
    return (
      <button
        type="button"
        className="fee small"
        aria-label={`${shown ?? said.noFee}: ${said.editFee(name, developer.name)}`}
        title={said.editFee(name, developer.name)}
        onClick={() => setTyped(String(fee))}
      >
        {shown ?? said.noFee}
      </button>
    );
  // what was typed stays where the change is rejected
  const save = async () => {
    if (next === undefined || isRunning) return;
    if (next === fee) return setTyped(undefined);
    const isDone = await set([{ developerId: developer.id, service, fee: next }], {
      done: said.feeChanged(developer.name, name, rupees(next)),
      subject: said.of(developer.name, name),
      failed: said.feeNotChanged(developer.name, name, rupees(fee)),
    });
    if (isDone) setTyped(undefined);
  };
  // what was typed is kept until it is saved or given up: telephones have no Enter beside their digits
  return (
    <form
      className="fee-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <input
        className="fee-box"
        inputMode="decimal"
        autoFocus
        aria-label={said.feeOf(name, developer.name)}
        aria-invalid={next === undefined}
        value={typed}
        maxLength={8}
        onChange={({ target }) => setTyped(target.value)}
        onFocus={({ target }) => target.select()}
        onBlur={() => (next === fee ? setTyped(undefined) : undefined)}
        onKeyDown={({ key }) => (key === 'Escape' ? setTyped(undefined) : undefined)}
      />
      {next === fee ? null : (
        <Button type="submit" busy={isRunning} disabled={next === undefined}>
          {words.common.save}
        </Button>
      )}
      <span role="status" className="needs-two small">
        {next === undefined ? said.feeForm : needsTwo ? said.secondApprover : null}
      </span>
    </form>
  );
}

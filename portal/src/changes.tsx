import type { ReactNode } from 'react';
import { rupees } from './format.js';
import { TableBox, Timestamp } from './parts.js';
import { words } from './words.js';

interface Change {
  field: string;
  before?: string | null | undefined;
  after?: string | null | undefined;
}

const t = words.changes;
/** Fields whose values are amounts in rupees. */
const MONEY: ReadonlySet<string> = new Set(['amount', 'balance', 'fee']);
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Splits a field name such as `dth_info.fee` into service and field. */
function partsOf(field: string): [service: string | undefined, field: string] {
  const [head = '', tail] = field.split('.');
  const service = (words.services as Readonly<Record<string, string>>)[head.toUpperCase()];
  return service && tail ? [service, tail] : [undefined, field];
}

/** Display name of a field. Falls back to the name in the audit log. */
function nameOf(path: string): ReactNode {
  const [service, field] = partsOf(path);
  const name = t.fields[field];
  if (name === undefined) return <code>{path}</code>;
  return service ? t.ofService(service, name) : name;
}

/** Display text of a value. Falls back to the value in the audit log. */
function valueIn(path: string, value: string | null | undefined): ReactNode {
  const [, field] = partsOf(path);
  if (value === null || value === undefined || value === '') return '–';
  if (MONEY.has(field) && Number.isFinite(Number(value))) return rupees(Number(value));
  if (INSTANT.test(value)) return <Timestamp at={value} />;
  return t.values[field]?.[value.toUpperCase()] ?? t.anywhere[value] ?? <code>{value}</code>;
}

/** Table with the old and new values of each changed field. */
export const Changes = ({ changes, head }: { changes: Change[]; head: [before: string, after: string] }): ReactNode => (
  <TableBox label={t.field}>
    <table className="cards">
      <thead>
        <tr>
          <th scope="col">{t.field}</th>
          {head.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, before, after }) => (
          <tr key={field}>
            <td className="name-cell">{nameOf(field)}</td>
            <td data-name={head[0]}>{valueIn(field, before)}</td>
            <td data-name={head[1]}>{valueIn(field, after)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </TableBox>
);

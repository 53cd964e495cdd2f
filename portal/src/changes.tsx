import type { ReactNode } from 'react';
import { rupees } from './format.js';
import { At, TableBox } from './parts.js';
import { words } from './words.js';

interface Change {
  field: string;
  before?: string | null | undefined;
  after?: string | null | undefined;
}

const said = words.changes;
/** The audit log has them in rupees. */
const MONEY: ReadonlySet<string> = new Set(['amount', 'balance', 'fee']);
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** A field of a service, such as `dth_info.fee`, taken apart. */
function partsOf(field: string): [service: string | undefined, field: string] {
  const [head = '', tail] = field.split('.');
  const service = (words.services as Readonly<Record<string, string>>)[head.toUpperCase()];
  return service && tail ? [service, tail] : [undefined, field];
}

/** The name of a field; what has none is shown as the audit log writes it. */
function nameOf(whole: string): ReactNode {
  const [service, field] = partsOf(whole);
  const name = said.fields[field];
  if (name === undefined) return <code>{whole}</code>;
  return service ? said.ofService(service, name) : name;
}

/** A value in the words of its field; what has none is shown as the audit log writes it. */
function valueIn(whole: string, value: string | null | undefined): ReactNode {
  const [, field] = partsOf(whole);
  if (value === null || value === undefined || value === '') return '–';
  if (MONEY.has(field) && Number.isFinite(Number(value))) return rupees(Number(value));
  if (INSTANT.test(value)) return <At at={value} />;
  return said.values[field]?.[value.toUpperCase()] ?? said.anywhere[value] ?? <code>{value}</code>;
}

/** What was, and what is or would be. */
export const Changes = ({ changes, head }: { changes: Change[]; head: [before: string, after: string] }): ReactNode => (
  <TableBox label={said.field}>
    <table className="cards">
      <thead>
        <tr>
          <th scope="col">{said.field}</th>
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

import type { ReactNode } from 'react';
import { words } from './words.js';

interface Change {
  field: string;
  before?: string | null | undefined;
  after?: string | null | undefined;
}

const said = words.changes;
/** A value in the words of its field; what has none is shown as the trail writes it. */
const valueIn = (field: string, value: string | null | undefined): ReactNode =>
  value === null || value === undefined || value === ''
    ? '–'
    : (said.values[field]?.[value.toUpperCase()] ?? said.anywhere[value] ?? <code>{value}</code>);

/** What was, and what is or would be. */
export const Changes = ({ changes, head }: { changes: Change[]; head: [before: string, after: string] }): ReactNode => (
  <div className="table-box">
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
            <td className="name-cell">{said.fields[field] ?? <code>{field}</code>}</td>
            <td data-name={head[0]}>{valueIn(field, before)}</td>
            <td data-name={head[1]}>{valueIn(field, after)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

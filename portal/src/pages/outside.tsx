import type { ReactNode } from 'react';
import { useTitle } from '../parts.js';
import { Brand } from '../side.js';

/** A page of somebody who is not signed in yet: one card. */
export function Outside({ title, lead, children }: { title: string; lead?: string; children: ReactNode }): ReactNode {
  useTitle(title);
  return (
    <div className="outside">
      <Brand />
      <main className="card">
        <h1>{title}</h1>
        {lead === undefined ? null : <p className="quiet">{lead}</p>}
        {children}
      </main>
    </div>
  );
}

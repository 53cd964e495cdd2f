import type { ReactNode } from 'react';
import { rupees } from '../format.js';
import { graphql } from '../graphql.js';
import { Loaded } from '../loaded.js';
import { NotFound } from '../not-found.js';
import { Badge, Card, PageHead, TableBox, useTitle } from '../parts.js';
import { useViewer } from '../people.js';
import { useRead } from '../read.js';
import { RejectedCalls } from '../rejected-calls.js';
import { words } from '../words.js';
import { type Guarded, SetDuplicateGuard } from './duplicate-guard.js';

const SERVICES = graphql(`
  query OwnServices {
    viewer {
      developer {
        id
        duplicateGuardSeconds
        services {
          id
          service
          enabled
          fee
          lastRejectedCalls {
            environment
            at
            code
            requestId
            operation
          }
        }
        lastRejectedCalls {
          environment
          at
          code
          requestId
          operation
        }
      }
    }
  }
`);

const said = words.ownServices;

export function Services(): ReactNode {
  useTitle(said.title);
  const account = useViewer().developer;
  const [read, again] = useRead({ query: SERVICES, pause: !account });
  if (!account) return <NotFound />;
  return (
    <>
      <PageHead title={said.title} lead={said.lead} />
      <Loaded read={read} retry={() => again({ requestPolicy: 'network-only' })} rows={6}>
        {({ viewer }) => (
          <>
            <TableBox label={said.title}>
              <table className="cards">
                <thead>
                  <tr>
                    <th scope="col">{said.service}</th>
                    <th scope="col">{said.state}</th>
                    <th scope="col" className="amount">
                      {said.fee}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {viewer?.developer?.services?.map(({ service, enabled, fee, lastRejectedCalls }) => (
                    <tr key={service}>
                      <td className="name-cell">
                        {words.services[service]}
                        <RejectedCalls calls={lastRejectedCalls} />
                      </td>
                      <td data-name={said.state}>
                        <Badge tone={enabled ? 'good' : 'quiet'}>{enabled ? said.on : said.off}</Badge>
                      </td>
                      <td className="amount" data-name={said.fee}>
                        {feeText(enabled, fee)}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </TableBox>
            <p className="quiet small table-note">{said.note}</p>
            <RejectedCalls calls={viewer?.developer?.lastRejectedCalls ?? null} />
            {viewer?.developer ? <OwnDuplicateGuard developer={viewer.developer} /> : null}
          </>
        )}
      </Loaded>
    </>
  );
}

const OwnDuplicateGuard = ({ developer }: { developer: Guarded }): ReactNode => (
  <Card title={words.guard.title} side={<SetDuplicateGuard developer={developer} />}>
    <p>{words.guard.state(developer.duplicateGuardSeconds)}</p>
    <p className="quiet">{words.guard.ownText}</p>
  </Card>
);

/** A fee that nobody has set yet is none to show. */
function feeText(enabled: boolean, fee: number): string {
  if (fee > 0) return rupees(fee);
  return enabled ? said.free : '–';
}

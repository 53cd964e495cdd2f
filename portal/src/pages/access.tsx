import { Link, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useFeeRequiresApproval } from '../approval-rules.js';
import { developerVariables } from '../developer-search.js';
import { rupees } from '../format.js';
import type { AccessQuery, Service } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Pager, SearchBox, ShowAll } from '../list.js';
import { Loaded } from '../loaded.js';
import { Button, Empty, PageHead, TableBox, useTitle } from '../parts.js';
import { usePermission } from '../people.js';
import { useRead } from '../read.js';
import { useServiceAccess } from '../service-access.js';
import { words } from '../words.js';
import { feeOf, Toggle } from './toggle.js';

const ACCESS = graphql(`
  query Access($first: Int, $after: String, $last: Int, $before: String, $filter: DeveloperFilter) {
    developers(first: $first, after: $after, last: $last, before: $before, filter: $filter, sort: NAME_ASC) {
      pageInfo {
        startCursor
        endCursor
        hasNextPage
        hasPreviousPage
      }
      edges {
        node {
          id
          name
          services {
            id
            service
            enabled
            fee
            changedAt
            changedBy {
              name
            }
          }
        }
      }
    }
  }
`);

const said = words.access;
const SERVICES = Object.keys(words.services) as Service[];

type Found = NonNullable<AccessQuery['developers']>;

/** Who is approved and open: of others nothing can be called. */
export function Access(): ReactNode {
  useTitle(said.title);
  const asked = useSearch({ from: '/framed/access' });
  const [read, again] = useRead({
    query: ACCESS,
    variables: developerVariables({ ...asked, status: 'APPROVED', closed: false, sort: undefined }),
  });
  return (
    <>
      <PageHead title={said.title} lead={said.lead} />
      <search className="filters">
        <SearchBox value={asked.search} label={said.search} />
      </search>
      <Loaded read={read} retry={() => again({ requestPolicy: 'network-only' })} rows={10}>
        {({ developers }) =>
          developers === null ? null : developers.edges.length === 0 ? (
            <Empty action={<ShowAll without={['search']} />}>{words.developers.none}</Empty>
          ) : (
            <Matrix found={developers} />
          )
        }
      </Loaded>
    </>
  );
}

function Matrix({ found }: { found: Found }): ReactNode {
  const canChange = usePermission('setServiceAccessMany');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const developers = found.edges.map(({ node }) => node);
  // who is on another page now is not meant any more
  const selected = developers.filter(({ id }) => chosen.has(id));
  const choose = (ids: readonly string[], isOn: boolean) => {
    const others = selected.map(({ id }) => id).filter((id) => !ids.includes(id));
    setChosen(new Set(isOn ? [...others, ...ids] : others));
  };
  const areAll = selected.length === developers.length;
  return (
    <>
      <TableBox label={said.title}>
        <table className="matrix cards selects">
          <thead>
            <tr>
              <th scope="col">
                <span className="pick">
                  {canChange ? (
                    <label>
                      <input
                        type="checkbox"
                        aria-label={said.selectAll}
                        checked={areAll}
                        onChange={() =>
                          choose(
                            developers.map(({ id }) => id),
                            !areAll,
                          )
                        }
                      />
                      <span className="all">{said.selectAll}</span>
                    </label>
                  ) : null}
                  <span>{words.developers.name}</span>
                </span>
              </th>
              {SERVICES.map((service) => (
                <th key={service} scope="col">
                  {words.services[service]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {developers.map((node) => (
              <tr key={node.id}>
                <td className="name-cell">
                  <span className="pick">
                    {canChange ? (
                      <input
                        type="checkbox"
                        aria-label={said.select(node.name)}
                        checked={chosen.has(node.id)}
                        onChange={({ target }) => choose([node.id], target.checked)}
                      />
                    ) : null}
                    <Link to="/developers/$developerId" params={{ developerId: node.id }} data-row={node.id}>
                      {node.name}
                    </Link>
                  </span>
                </td>
                {SERVICES.map((service) => {
                  const access = node.services?.find((one) => one.service === service);
                  return (
                    <td key={service} data-name={words.services[service]}>
                      {access ? <Toggle developer={node} access={access} /> : null}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </TableBox>
      {selected.length > 0 ? <ForMany ids={selected.map(({ id }) => id)} clear={() => setChosen(new Set())} /> : null}
      <Pager page={found.pageInfo} count={found.edges.length} />
    </>
  );
}

/** One service of all who are selected, in one act. */
function ForMany({ ids, clear }: { ids: readonly string[]; clear: () => void }): ReactNode {
  const { set, isRunning } = useServiceAccess();
  const [service, setService] = useState<Service>(SERVICES[0]!);
  const [typed, setTyped] = useState('');
  const name = words.services[service];
  const them = said.developers(ids.length);
  const fee = feeOf(typed);
  const needsTwo = useFeeRequiresApproval(fee);
  const change = (what: { enabled: boolean } | { fee: number }, done: string, stays: string) =>
    void set(
      ids.map((developerId) => ({ developerId, service, ...what })),
      { done, subject: said.of(them, name), failed: stays },
    );
  const switchTo = (isOn: boolean) =>
    change({ enabled: isOn }, said.changed(them, name, isOn), said.unchanged(them, name));
  return (
    <section className="bulk" aria-label={said.selected(ids.length)}>
      <strong>{said.selected(ids.length)}</strong>
      <select aria-label={said.service} value={service} onChange={({ target }) => setService(target.value as Service)}>
        {SERVICES.map((one) => (
          <option key={one} value={one}>
            {words.services[one]}
          </option>
        ))}
      </select>
      <Button busy={isRunning} onClick={() => switchTo(true)}>
        {said.switchOn}
      </Button>
      <Button busy={isRunning} onClick={() => switchTo(false)}>
        {said.switchOff}
      </Button>
      <span className="row">
        <input
          className="fee-box"
          inputMode="decimal"
          aria-label={said.fee}
          placeholder={said.fee}
          value={typed}
          maxLength={8}
          onChange={({ target }) => setTyped(target.value)}
        />
        <Button
          busy={isRunning}
          disabled={fee === undefined}
          onClick={() => change({ fee: fee! }, said.feeChanged(them, name, rupees(fee!)), said.unchanged(them, name))}
        >
          {needsTwo ? said.requestFee : said.setFee}
        </Button>
      </span>
      <Button onClick={clear}>{said.clearSelection}</Button>
      <span role="status" className="needs-two small">
        {needsTwo ? said.secondApprover : null}
      </span>
    </section>
  );
}

import { Link, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useEnvironment } from '../environment.js';
import { FileLinks } from '../file-link.js';
import type { Environment, WalletsQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Chip, SearchBox, Select, ShowAll, useFilter } from '../list.js';
import { Loaded } from '../loaded.js';
import { NotFound } from '../not-found.js';
import { Empty, PageHead, useTitle } from '../parts.js';
import { useViewer } from '../people.js';
import { daysOf, RANGE_KEYS, Range, rangeProblem } from '../range.js';
import { useRead } from '../read.js';
import type { WalletSearch } from '../wallet-search.js';
import { words } from '../words.js';
import { Wallet } from './home.js';
import { OrderDrawer } from './order-drawer.js';
import { Days, Statement } from './statement.js';

const WALLETS = graphql(`
  query Wallets($id: ID!) {
    developer(id: $id) {
      id
      name
      wallets {
        id
        environment
        balance
        held
      }
    }
  }
`);

const said = words.wallet;

/** One's own. */
export function OwnWallet(): ReactNode {
  const asked = useSearch({ from: '/framed/wallet' });
  const { developer } = useViewer();
  return developer ? <Wallets developerId={developer.id} asked={asked} /> : <NotFound />;
}

/** Of a developer, for staff. */
export function DeveloperWallet(): ReactNode {
  const asked = useSearch({ from: '/framed/developers/$developerId/wallet' });
  const { developerId } = useParams({ from: '/framed/developers/$developerId/wallet' });
  return <Wallets developerId={developerId} asked={asked} forStaff />;
}

function Wallets({
  developerId,
  asked,
  forStaff,
}: {
  developerId: string;
  asked: WalletSearch;
  forStaff?: boolean;
}): ReactNode {
  const [read, again] = useRead({ query: WALLETS, variables: { id: developerId } });
  return (
    <Loaded read={read} retry={() => again({ requestPolicy: 'network-only' })}>
      {({ developer }) =>
        developer ? (
          <Shown developer={developer} asked={asked} forStaff={forStaff === true} />
        ) : (
          <Empty>{words.developer.missing}</Empty>
        )
      }
    </Loaded>
  );
}

type Developer = NonNullable<WalletsQuery['developer']>;

function Shown({
  developer: { id, name, wallets },
  asked,
  forStaff,
}: {
  developer: Developer;
  asked: WalletSearch;
  forStaff: boolean;
}): ReactNode {
  const title = forStaff ? said.titleOf(name) : said.title;
  useTitle(title);
  const environment = useEnvironment();
  const filter = useFilter();
  const wallet = wallets?.find((one) => one.environment === environment);
  const problem = rangeProblem(asked);
  const { after, before } = asked;
  const back = (
    <Link to="/developers/$developerId" params={{ developerId: id }}>
      {name}
    </Link>
  );
  return (
    <>
      <PageHead title={title} lead={forStaff ? back : said.lead}>
        {wallet && problem === undefined ? (
          <Download asked={asked} environment={environment} {...(forStaff ? { developerId: id } : {})} />
        ) : null}
      </PageHead>
      {wallet ? (
        <div className="stack">
          <div className="columns wallets">
            {wallets?.map((one) => (
              <Wallet key={one.id} wallet={one} />
            ))}
          </div>
          <section>
            <h2 className="section-title">{said.statement(words.environments[environment])}</h2>
            <Filters asked={asked} />
            {problem !== undefined ? (
              <Empty action={<ShowAll without={RANGE_KEYS} />}>{problem}</Empty>
            ) : asked.view === 'days' ? (
              <Days walletId={wallet.id} asked={asked} />
            ) : (
              <Statement walletId={wallet.id} asked={asked} />
            )}
          </section>
        </div>
      ) : (
        <Empty
          action={
            forStaff ? undefined : (
              <Link to="/onboarding" className="button">
                {words.keys.continueOnboarding}
              </Link>
            )
          }
        >
          {said.noWallet}
        </Empty>
      )}
      <OrderDrawer id={asked.order} onClose={() => filter({ order: undefined, after, before })} />
    </>
  );
}

function Download({
  asked,
  environment,
  developerId,
}: {
  asked: WalletSearch;
  environment: Environment;
  developerId?: string;
}): ReactNode {
  const { view, kind, reference } = asked;
  const filter = view === 'days' ? {} : { kinds: kind, reference };
  const given = { ...daysOf(asked), ...filter, environment: environment.toLowerCase(), developerId };
  return <FileLinks path="/statement" parameters={given} title={said.fileHint} />;
}

function Filters({ asked }: { asked: WalletSearch }): ReactNode {
  const filter = useFilter();
  const isDays = asked.view === 'days';
  return (
    <search className="filters">
      <div className="chips" role="group" aria-label={said.view}>
        <Chip on={!isDays} toggle={() => filter({ view: undefined })}>
          {said.lines}
        </Chip>
        <Chip on={isDays} toggle={() => filter({ view: 'days' })}>
          {said.days}
        </Chip>
      </div>
      <Range asked={asked} />
      {isDays ? null : (
        <>
          <Select
            name="kind"
            label={said.kind}
            emptyLabel={said.allKinds}
            selected={asked.kind}
            choices={Object.entries(words.entries)}
          />
          <SearchBox value={asked.reference} name="reference" label={said.search} />
        </>
      )}
    </search>
  );
}

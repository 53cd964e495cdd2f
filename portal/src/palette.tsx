import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { type CombinedError } from 'urql';
import { failureOf } from './failure.js';
import { rupees } from './format.js';
import type { Environment } from './generated/documents.js';
import { graphql } from './graphql.js';
import { Keys } from './keys.js';
import { isStaff, personPage, readsMoney, useViewer } from './people.js';
import { useRead } from './read.js';
import { words } from './words.js';

const SEARCH = graphql(`
  query Search($text: String!) {
    search(text: $text) {
      title
      detail
      matchedText
      node {
        kind: __typename
        id
        ... on User {
          developer {
            id
            name
          }
        }
        ... on Order {
          status
          amount
          environment
        }
      }
    }
  }
`);
const FIND_ORDER = graphql(`
  query FindOrder($reference: String!) {
    orders(first: 5, filter: { reference: $reference }) {
      edges {
        node {
          id
          apiRequestId
          status
          amount
          environment
        }
      }
    }
  }
`);

const t = words.palette;

export interface Command {
  name: string;
  detail?: string;
  keys?: string | undefined;
  run: () => void;
}
interface SearchResult {
  hits: Command[];
  error: CombinedError | undefined;
  isSearching: boolean;
}

const DEBOUNCE_MS = 200;

/** Returns the text with a delay, when the user has stopped typing. */
function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text.trim()), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return debounced;
}

interface OrderSummary {
  status: keyof typeof words.orders;
  amount: number;
  environment: keyof typeof words.environments;
}
const orderDetail = ({ status, amount, environment }: OrderSummary): string =>
  [words.orders[status], rupees(amount), words.environments[environment]].join(' · ');

/** Finds developers, orders and users with the search of the console. */
function useStaffHits(text: string): SearchResult {
  const navigate = useNavigate();
  const query = useDebounced(text);
  const [{ data, error, fetching }] = useRead({
    query: SEARCH,
    variables: { text: query },
    pause: query.length < 2,
    requestPolicy: 'network-only',
  });
  const isSearching = fetching || text.trim() !== query;
  if (query.length < 2) return { hits: [], error: undefined, isSearching };
  const developerPage = (developerId: string) => () =>
    void navigate({ to: '/developers/$developerId', params: { developerId } });
  const hits = (data?.search ?? []).flatMap(({ node, title, detail, matchedText }): Command[] => {
    const fullDetail = matchedText === title || matchedText === detail ? detail : `${detail} · ${matchedText}`;
    if (node.kind === 'Order')
      return [
        { name: title, detail: orderDetail(node), run: () => void navigate(orderPage(node.id, node.environment)) },
      ];
    if (node.kind === 'Developer') return [{ name: title, detail: fullDetail, run: developerPage(node.id) }];
    if (node.kind !== 'User') return [];
    const accountName = node.developer?.name ?? t.staff;
    return [{ name: title, detail: `${detail} · ${accountName}`, run: () => void navigate(personPage(node)) }];
  });
  return { hits, error, isSearching };
}

/** Finds orders of the developer by reference. */
function useOwnHits(text: string): SearchResult {
  const navigate = useNavigate();
  const query = useDebounced(text);
  const pause = query.length < 4 || !/^(?=.*\d)\S+$/.test(query) || !readsMoney(useViewer());
  const [{ data, error, fetching }] = useRead({
    query: FIND_ORDER,
    variables: { reference: query },
    pause,
    requestPolicy: 'network-only',
  });
  const isSearching = fetching || text.trim() !== query;
  if (pause) return { hits: [], error: undefined, isSearching };
  const hits = (data?.orders?.edges ?? []).map(({ node }) => ({
    name: node.apiRequestId,
    detail: orderDetail(node),
    run: () => void navigate(orderPage(node.id, node.environment)),
  }));
  return { hits, error, isSearching };
}

const orderPage = (order: string, environment: Environment) =>
  ({ to: '/orders', search: { order, environment } }) as const;

/** Palette that finds pages, actions and records by name or number. */
export const Palette = (props: { commands: Command[]; onClose: () => void }): ReactNode =>
  isStaff(useViewer()) ? (
    <PaletteDialog {...props} useHits={useStaffHits} />
  ) : (
    <PaletteDialog {...props} useHits={useOwnHits} />
  );

const matchesText = (name: string, text: string): boolean =>
  text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => name.toLowerCase().includes(word));

function PaletteDialog({
  commands,
  onClose,
  useHits,
}: {
  commands: Command[];
  onClose: () => void;
  useHits: (text: string) => SearchResult;
}): ReactNode {
  const [text, setText] = useState('');
  const { hits, error, isSearching } = useHits(text);
  const groups = [
    { value: t.found, items: hits },
    { value: t.goTo, items: commands.filter(({ name }) => matchesText(name, text.trim())) },
  ].filter(({ items }) => items.length > 0);
  const choose = ({ run }: Command) => {
    onClose();
    run();
  };
  return (
    <Dialog.Root open onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="palette" aria-label={t.title}>
          <Autocomplete.Root
            inline
            open
            items={groups}
            mode="none"
            filter={null}
            autoHighlight="always"
            keepHighlight
            value={text}
            onValueChange={(value, { reason }) => (reason === 'item-press' ? undefined : setText(value))}
            itemToStringValue={(command: Command) => command.name}
          >
            <Autocomplete.Input
              className="palette-text"
              aria-label={t.title}
              placeholder={t.placeholder}
              maxLength={100}
            />
            <Autocomplete.Empty className="palette-empty">
              {groups.length > 0 ? null : isSearching ? t.searching : t.nothing}
            </Autocomplete.Empty>
            <Autocomplete.List className="palette-list">
              {(group: (typeof groups)[number]) => (
                <Autocomplete.Group key={group.value} items={group.items}>
                  <Autocomplete.GroupLabel className="group-title">{group.value}</Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(command: Command) => (
                      <Autocomplete.Item
                        key={command.name + (command.detail ?? '')}
                        value={command}
                        className="palette-item"
                        onClick={() => choose(command)}
                      >
                        <span>
                          {command.name}
                          {command.detail === undefined ? null : <span className="quiet small">{command.detail}</span>}
                        </span>
                        <Keys combination={command.keys} />
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
          <p role="status" className="palette-empty">
            {error ? failureOf(error).message : null}
          </p>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

import { code, table } from '../../src/http/docs/tables.js';
import {
  aboutDue,
  aboutEvents,
  aboutFamilies,
  aboutGroups,
  aboutValues,
  type Family,
  families,
  type Group,
  machine,
  type Outcome,
  outcomes,
  reasons,
  storedAs,
  wordsOf,
} from './state-machine.js';

const list = (words: readonly string[]): string => words.map(code).join(', ');

/** Text of a cell; a reason is in italics. */
const formatted = (word: string): string => (word.startsWith('-') ? `*${word.slice(1)}*` : code(word));

const outcomeRow = ([name, outcome]: [string, Outcome]): string[] => [
  code(name),
  outcome.says,
  Object.entries(outcome.columns ?? {})
    .map(([column, value]) => code(`${column} ${value}`))
    .join(', '),
  outcome.due ? code(outcome.due) : '',
  outcome.review ? code(outcome.review) : '',
  outcome.posting ? code(outcome.posting) : '',
  list(outcome.timeline ?? []),
];

/** Table of a family. States with equal cells share a row. */
function familyTable(group: Group, family: Family): string {
  const rows = Map.groupBy(Object.entries(machine[group]), ([, state]) => wordsOf(state, family).join(' '));
  const about = `${aboutFamilies[family]}:`;
  const only = rows.size === 1 && new Set([...rows.keys()][0]!.split(' ')).size === 1;
  if (only) return `${about} ${formatted([...rows.keys()][0]!.split(' ')[0]!)} in every state.`;
  const cells = [...rows].map(([words, states]) => [
    list(states.map(([name]) => name)),
    ...words.split(' ').map(formatted),
  ]);
  return `${about}\n\n${table(['state', ...families[family].map(code)], cells)}`;
}

function groupTables(group: Group): string {
  const states = Object.entries(machine[group]).map(([name, { says, row }]) => [code(name), says, code(row)]);
  const parts = (Object.keys(families) as Family[]).map((family) => familyTable(group, family));
  return [`#### ${aboutGroups[group]}`, table(['state', 'meaning', 'stored as'], states), ...parts].join('\n\n');
}

/** The tables of docs/order-states.md. */
export const stateTables = (): string =>
  [
    ...(Object.keys(machine) as Group[]).map(groupTables),
    '#### How states are stored',
    table(
      ['stored as', 'meaning'],
      Object.entries(storedAs).map(([name, meaning]) => [code(name), meaning]),
    ),
    '#### Events',
    table(
      ['event', 'meaning'],
      Object.entries(aboutEvents).map(([name, meaning]) => [code(name), meaning]),
    ),
    '#### Outcomes',
    table(
      ['outcome', 'meaning', '`orders`', '`order_due`', '`order_review`', 'posting', 'timeline'],
      Object.entries(outcomes).map(outcomeRow),
    ),
    'An empty cell means no change. `own` is the timeline entry of the event itself.',
    table(
      ['value', 'meaning'],
      Object.entries(aboutValues).map(([name, meaning]) => [code(name), meaning]),
    ),
    table(
      ['`order_due`', 'time of the next check'],
      Object.entries(aboutDue).map(([name, meaning]) => [code(name), meaning]),
    ),
    '#### Why an event cannot happen',
    table(
      ['reason', 'meaning'],
      Object.entries(reasons).map(([name, meaning]) => [`*${name}*`, meaning]),
    ),
  ].join('\n\n');

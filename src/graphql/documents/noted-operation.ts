import type { OperationDefinitionNode } from 'graphql';
import type { NotedOperation } from '../../core/request-notes.js';
import type { RootField } from './values.js';

const MOST_FIELDS = 10;
const NAME_LENGTH = 60;
/** With fewer digits a name cannot hold somebody's number. */
const MOST_DIGITS = 3;

/** Aliases are left out: they are the caller's words, and the operation's name is enough of those. */
export function notedOperation({ name }: OperationDefinitionNode, roots: readonly RootField[]): NotedOperation {
  const fields = [...new Set(roots.map((root) => root.name))].slice(0, MOST_FIELDS);
  return name ? { name: harmless(name.value), fields } : { fields };
}

function harmless(name: string): string {
  const short = name.slice(0, NAME_LENGTH);
  return short.replace(/\D/g, '').length > MOST_DIGITS ? short.replace(/\d/g, '0') : short;
}

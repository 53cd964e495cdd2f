// Loaded into the demo with `node --import`: instruments every function of ours when it is loaded, so that its calls are
// recorded. The files on disk do not change.
//
// walk → process  {walk: 'begin'}, {walk: 'end'}
// process → walk  {walk: 'entries', entries: [function, …], functions: [[file, name], …]}
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';

const OURS = process.env.WALK_OF;
/** [file, name] by the number with which calls are recorded. */
const functions = [];
let entries;
globalThis.noteEntry = (number) => entries?.push(number);

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** The name of a function is often that of the variable or property with its value. */
const nameIn = ({ id, key }) => {
  const named = id ?? key;
  return named && (named.type === 'PrivateIdentifier' ? `#${named.name}` : (named.name ?? named.value));
};

/** Calls `found` for every function below a node, with its name or that of its parent. */
function eachFunction(node, holder, found) {
  if (Array.isArray(node)) {
    for (const item of node) eachFunction(item, holder, found);
    return;
  }
  if (typeof node?.type !== 'string') return;
  if (FUNCTIONS.has(node.type)) found(node, nameIn(node) ?? nameIn(holder) ?? '(callback)');
  for (const value of Object.values(node)) if (typeof value === 'object') eachFunction(value, node, found);
}

/** Position of the first statement of a body: after directives, which are only valid at the start. */
const startOf = ({ body, start }) => {
  const directives = body.filter(({ directive }) => directive !== undefined);
  return directives.length > 0 ? directives.at(-1).end : start + 1;
};

function withEntries(source, file) {
  const insertions = [];
  eachFunction(parseAst(source), {}, ({ body }, name) => {
    const note = `noteEntry(${functions.push([file, name]) - 1})`;
    if (body.type === 'BlockStatement') insertions.push([startOf(body), `${note};`]);
    // an arrow function with an expression body
    else insertions.push([body.start, `(${note},`], [body.end, ')']);
  });
  let text = '';
  let from = 0;
  for (const [at, inserted] of insertions.toSorted(([a], [b]) => a - b)) {
    text += source.slice(from, at) + inserted;
    from = at;
  }
  return text + source.slice(from);
}

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.startsWith('file:') || !url.endsWith('.js')) return loaded;
    const file = fileURLToPath(url);
    if (!file.startsWith(OURS)) return loaded;
    return { ...loaded, source: withEntries(String(loaded.source), file.slice(OURS.length)) };
  },
});

process.on('message', (message) => {
  if (message?.walk === 'begin') entries = [];
  if (message?.walk !== 'end') return;
  process.send({ walk: 'entries', entries, functions });
  entries = undefined;
});
process.channel.unref();

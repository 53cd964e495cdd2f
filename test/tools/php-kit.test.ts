import { readFileSync } from 'node:fs';
import { Engine as UntypedEngine } from 'php-parser';
import { describe, expect, it } from 'vitest';
import { describeTables, sorted } from '../clients/kit-tables.fixture.js';

// its types list nodes by kind, which a walk over all nodes does not need
const Engine = UntypedEngine as unknown as new (options: object) => { parseCode(code: string, file: string): Node };
type Node = Record<string, any>;

const [node, php] = ['clients/node/recharge-gateway.mts', 'clients/php/RechargeGateway.php'].map((file) =>
  readFileSync(file, 'utf8'),
) as [string, string];

const parsed = (code: string): Node => new Engine({ parser: { version: 704 } }).parseCode(code, 'kit.php');

/** All nodes of one kind below a node. */
function nodesOf(kind: string, below: unknown): Node[] {
  if (Array.isArray(below)) return below.flatMap((inner) => nodesOf(kind, inner));
  if (below === null || typeof below !== 'object') return [];
  const inside = Object.values(below).flatMap((inner) => nodesOf(kind, inner));
  return (below as Node).kind === kind ? [below as Node, ...inside] : inside;
}
const tree = parsed(php);
const methods = new Map(nodesOf('method', tree).map((method) => [method.name.name as string, method]));

describeTables('PHP', (name) => {
  const constant = nodesOf('constant', tree).find(({ name: { name: own } }) => own === name)!;
  return nodesOf('string', constant.value).map(({ value }) => value);
});

describe('the client library for PHP, analyzed without PHP', () => {
  it('has examples compatible with PHP 7.4', () => {
    const examples = [...readFileSync('clients/php/README.md', 'utf8').matchAll(/^```php\n([\s\S]*?)^```/gm)];
    expect(examples.length).toBeGreaterThan(3);
    for (const [, example] of examples) expect(parsed(`<?php ${example}`).children.length).toBeGreaterThan(0);
  });

  it('is compatible with PHP 7.4', () => {
    for (const later of ['match (1) { default => 2 };', '$a?->b();', 'f(a: 1);', 'function f($a,) {}'])
      expect(() => parsed(`<?php ${later}`), later).toThrow();
    // constructs that the parser accepts anyway
    const types = [...nodesOf('typereference', tree), ...nodesOf('name', tree)];
    expect(types.map(({ raw, name }) => raw ?? name)).not.toContain('mixed');
    expect(nodesOf('uniontype', tree)).toEqual([]);
    expect(nodesOf('parameter', tree).filter(({ flags }) => flags)).toEqual([]);
    expect(nodesOf('property', tree).filter(({ readonly }) => readonly)).toEqual([]);
    const called = nodesOf('call', tree).flatMap(({ what }) => (what.kind === 'name' ? [what.name as string] : []));
    expect(called.length).toBeGreaterThan(20);
    expect(called.filter((name) => LATER.test(name))).toEqual([]);
  });

  it('calls only existing methods of its own', () => {
    const looked = [...nodesOf('propertylookup', tree), ...nodesOf('staticlookup', tree)];
    const called = nodesOf('call', tree)
      .map(({ what }) => what)
      .filter((what) => looked.includes(what) && what.offset.kind === 'identifier')
      .map(({ offset }) => offset.name as string);
    expect(called.length).toBeGreaterThan(20);
    expect([...new Set(called)].filter((name) => !methods.has(name))).toEqual(['getMessage']); // methods of every exception
  });

  it('has the methods of the client library for Node', () => {
    const [, own] = /export class RechargeGateway \{([\s\S]*?)\n\}/.exec(node)!;
    const calls = [...own!.matchAll(/^ {2}(?:async )?([a-z]\w+)[(<]/gm)].map(([, name]) => name!);
    const ofPhp = [...methods].filter(([, { visibility }]) => visibility === 'public').map(([name]) => name);
    const constructors = ['constructor', '__construct'];
    expect(sorted(ofPhp.filter((name) => !constructors.includes(name)))).toEqual(
      sorted([...calls.filter((name) => !constructors.includes(name)), 'verifyWebhook']),
    );
  });
});

/** Functions added after 7.4, or deprecated in later versions. */
const LATER =
  /^(str_(contains|starts_with|ends_with)|array_(is_list|find|any|all|first|last)|json_validate|get_debug_type|fdiv|curl_close|utf8_(en|de)code|strftime)$/;

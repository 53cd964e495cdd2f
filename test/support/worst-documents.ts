/** Documents of at most 64 KiB that cost an unprotected server the most, one generator per shape. */
export interface WorstDocument {
  name: string;
  source: string;
}

const MAX_BYTES = 64 * 1024;
const repeat = (count: number, text: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => text(n)).join(' ');
const nested = (count: number, open: string, inner: string, close: string): string =>
  open.repeat(count) + inner + close.repeat(count);

/** Each fragment spreads the next one twice, so that the expanded document has 2 to the power of `levels` fields. */
export const doublingFragments = (levels: number, leaf = '__typename'): string =>
  `{ ...f0 } ${repeat(levels, (n) => `fragment f${n} on Query { ...f${n + 1} ...f${n + 1} }`)} fragment f${levels} on Query { ${leaf} }`;

const shapes: Record<string, string> = {
  'fragments that double, 30 levels': doublingFragments(30),
  'fragments that double, 140 levels': doublingFragments(140),
  'fragments that double, 1,300 levels': doublingFragments(1_300),
  'fragments that double inside of introspection': `{ __schema { types { ...f0 } } } ${repeat(100, (n) => `fragment f${n} on __Type { ...f${n + 1} ...f${n + 1} }`)} fragment f100 on __Type { fields { name } }`,
  'fragments that double under a field': `{ me { ...f0 } } ${repeat(100, (n) => `fragment f${n} on Account { ...f${n + 1} ...f${n + 1} }`)} fragment f100 on Account { id }`,
  'fragments that go in a circle': `{ ...f0 } ${repeat(150, (n) => `fragment f${n} on Query { ...f${(n + 1) % 150} ...f${(n + 7) % 150} }`)}`,
  'one fragment spread 600 times': `{ me { ${repeat(600, () => '...F')} } } fragment F on Account { id name email }`,
  '60 fragments with the same fields': `{ me { ${repeat(60, (n) => `...f${n}`)} } } ${repeat(60, (n) => `fragment f${n} on Account { id name email roles permissions id name email roles permissions }`)}`,
  '20 fragments that all spread one another': `{ me { ${repeat(20, (n) => `...f${n}`)} } } ${repeat(20, (n) => `fragment f${n} on Account { id ${repeat(19 - n, (m) => `...f${n + m + 1}`)} }`)}`,
  'one field 1,900 times': `{ me { ${repeat(1_900, () => 'id')} } }`,
  'one field with a subselection 300 times': `{ ${repeat(300, () => 'me { id name }')} }`,
  'one field 60 times with a long argument': `{ ${repeat(60, () => `order(kind: RECHARGE, clientRequestId: [${repeat(20, (n) => String(n))}]) { id }`)} }`,
  'one field 160 times with a different argument': `{ ${repeat(160, (n) => `order(kind: RECHARGE, clientRequestId: "${n}") { id }`)} }`,
  'one field with 1,900 arguments': `{ me(${repeat(600, (n) => `a${n}: 1`)}) { id } }`,
  '600 aliases': `{ me { ${repeat(600, (n) => `a${n}: id`)} } }`,
  '600 fields that do not exist': `{ ${repeat(600, (n) => `a${n}`)} }`,
  'unknown fields with names nearly right': `{ ${repeat(200, (n) => `productCategoriesAndTheLongestNameOf${n}`)} }`,
  'types with names nearly right': repeat(150, (n) => `fragment f${n} on OperatorFindResultConnectionEdg${n} { id }`),
  'inline fragments 390 deep': `{ me ${nested(390, '{ ... on Account ', '{ id }', ' }')} }`,
  'inline fragments 300 wide': `{ me { ${repeat(300, () => '... on Account { id }')} } }`,
  'fields 650 deep': nested(650, '{ a ', '{ b }', ' }'),
  'introspection 400 deep': `{ __schema { types ${nested(400, '{ ofType ', '{ name }', ' }')} } }`,
  'introspection 60 times': `{ ${repeat(60, (n) => `a${n}: __schema { types { name fields { name args { name } } } }`)} }`,
  'the whole schema under many aliases': `{ __schema { ${repeat(15, (n) => `a${n}: types { name description fields { name description type { name fields { name description } } } }`)} } }`,
  'lists 990 deep': `{ me(a: ${nested(990, '[', '1', ']')}) { id } }`,
  'lists 30,000 deep': `{ me(a: ${nested(30_000, '[', '1', ']')}) { id } }`,
  'objects 490 deep': `{ me(a: ${nested(490, '{a:', '1', '}')}) { id } }`,
  'an object with 650 fields': `mutation { recharge(input: { ${repeat(650, (n) => `f${n}: 1`)} }) { order { status } } }`,
  'a list with 1,900 items': `{ me(a: [${repeat(1_900, () => '1')}]) { id } }`,
  'a list type 900 deep': `query($a: ${nested(900, '[', 'Int', ']')}) { me { id } }`,
  'list types of many variables': `query(${repeat(20, (n) => `$a${n}: ${nested(40, '[', 'Int', ']')}`)}) { me { id } }`,
  '480 variables': `query(${repeat(480, (n) => `$a${n}: Int`)}) { me { id } }`,
  '100 variables used 100 times': `query(${repeat(100, (n) => `$a${n}: Int`)}) { ${repeat(8, (m) => `b${m}: me(${repeat(40, (n) => `x${n}: $a${n}`)}) { id }`)} }`,
  '220 operations': repeat(220, (n) => `query q${n} { me { id } }`),
  '80 operations that share 80 fragments': `${repeat(80, (n) => `query q${n} { ...f0 }`)} ${repeat(80, (n) => `fragment f${n} on Query { me(a: $v${n}) { id } ...f${n + 1} }`)}`,
  '270 directives on one field': `{ me ${repeat(270, () => '@include(if: true)')} { id } }`,
  '900 unknown directives': `{ me ${repeat(900, (n) => `@a${n}`)} { id } }`,
  'a string of 60 KB': `{ order(kind: RECHARGE, clientRequestId: "${'a'.repeat(60_000)}") { id } }`,
  'a string of 10,000 escapes': `{ order(kind: RECHARGE, clientRequestId: "${'\\u0041'.repeat(10_000)}") { id } }`,
  'a block string of 30,000 lines': `{ order(kind: RECHARGE, clientRequestId: """${' \n'.repeat(30_000)}""") { id } }`,
  'a name of 60 KB': `{ ${'a'.repeat(60_000)} }`,
  '20 names of 3 KB': `{ ${repeat(20, (n) => `a${n}${'a'.repeat(3_000)}`)} }`,
  'a number of 60 KB': `{ me(a: ${'1'.repeat(60_000)}) { id } }`,
  '30,000 comments': `${'#\n'.repeat(30_000)}{ me { id } }`,
  '60,000 commas': `{${','.repeat(60_000)} me { id } }`,
  '60,000 line breaks before a mistake': `{${'\n'.repeat(60_000)} "`,
  'opening braces alone': '{'.repeat(60_000),
  // within every limit, and therefore checked by every validation rule
  'one field as often as allowed': `{ me { ${repeat(100, () => 'id')} } }`,
  'one field with a subselection as often as allowed': `{ ${repeat(14, () => `me { ${repeat(4, () => 'id name email')} }`)} }`,
  'as many fields that do not exist as allowed': `{ me { ${repeat(990, (n) => `f${n}`)} } }`,
  'as many variables as allowed, all of them wrong': `query(${repeat(100, (n) => `$a${n}: OperatorFindResul${n}`)}) { me { id } }`,
  'as many operations and fragments as allowed': `${repeat(10, (n) => `query q${n}(${repeat(10, (m) => `$v${m}: ID`)}) { ...f0 }`)} ${repeat(45, (n) => `fragment f${n} on Query { order(kind: RECHARGE, clientRequestId: $v${n % 10}) { id } ...f${n + 1} } `)} fragment f45 on Query { me { id } }`,
  '50 fragments that are spread beside one another': `{ me { ${repeat(25, (n) => `...f${n}`)} } } ${repeat(25, (n) => `fragment f${n} on Account { x${n}a x${n}b x${n}c x${n}d x${n}e x${n}f x${n}g x${n}h ...g${n} } fragment g${n} on Account { y${n} }`)}`,
  'a list of 1,900 wrong literals': `{ order(kind: RECHARGE, clientRequestId: [${repeat(1_850, () => 'A')}]) { id } }`,
  'a deep literal of 480 levels': `mutation { recharge(input: ${nested(480, '{input:', '1', '}')}) { order { status } } }`,
  'as many directives as allowed': `{ ${repeat(16, () => 'me @include(if: true) @skip(if: false) @include(if: true) { id }')} }`,
  'introspection as deep as allowed': `{ __schema { types { name fields { name type ${nested(90, '{ ofType ', '{ name }', ' }')} } } } }`,
  'pages inside of pages, as deep and as often as allowed': `{ wallet { ...s } } fragment s on Wallet { statement { edges { node { ...n } } } statement { edges { node { ...n } } } } fragment n on StatementEntry { ${repeat(16, () => 'order { ...o }')} } fragment o on Order { ${repeat(10, () => 'timeline { at }')} wallet { statement { edges { node { order { id } } } } } }`,
  'type definitions': repeat(250, (n) => `type A${n} { a: Int }`),
};

export const worstDocuments: readonly WorstDocument[] = Object.entries(shapes).map(([name, source]) => {
  if (Buffer.byteLength(source) > MAX_BYTES) throw new Error(`${name} exceeds the maximum length of a body.`);
  return { name, source };
});

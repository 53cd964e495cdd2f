// `npm run walk`: measures how much code a reader sees who follows one request. Counts the functions that the request calls,
// their files and modules (the folders of src), and the moves: two consecutive calls in different files or modules. Returns are
// not counted, nor moves into `core`, because its functions are words such as `paise` and `newId`, which are read where they are
// used.
//
// `--list` adds the files of each walk and its path. A directory as argument measures another checkout, which must be built.
// `--judge` fails if a walk has become longer than in docs/architecture.md.
//
// The demo runs from the output of tsc, before bundling. After a warm-up, each request is sent many times. Functions that are
// called as often without requests are idle work and are excluded. The walk is the one with the median number of moves, because
// sockets and timers do not always fire in the same order.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDemo } from '../support/demo-process.mjs';

const WARM_UP = 30;
const MEASURED = 40;
/** Work that a request leaves for after its response is part of its walk. */
const AFTER_MS = 20;
/** Variation between two measurements, for example because of a job in the queue. */
const MORE = 2;
/** Module whose functions a reader knows by their names. */
const WORDS = 'core';

const args = process.argv.slice(2);
const checkout = path.resolve(args.find((argument) => !argument.startsWith('-')) ?? '.');
const compiled = path.join(checkout, 'dist/.tsc/');

async function call(url, body, token) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  });
  const reply = await response.json();
  if (!response.ok || reply.errors) throw new Error(`${url} returned ${response.status} ${JSON.stringify(reply)}`);
  return reply;
}

/** Each request has its own idempotency key, so that none is a replay. */
async function walksOf({ production, console: own }) {
  const { clientId: client_id, apiSecret: api_secret, baseUrl } = production;
  const issued = { client_id, api_secret, environment: 'production' };
  const { token } = await call(`${baseUrl}/api/v1/auth/client-credentials`, issued);
  const graphql = (query, variables, session) => call(`${own.baseUrl}/graphql`, { query, variables }, session);
  const signIn = 'mutation($input: SignInInput!) { signIn(input: $input) { token } }';
  const { data } = await graphql(signIn, { input: own.admin });
  const session = data.signIn.token;
  const found = await graphql('{ developers(first: 1) { edges { node { id } } } }', {}, session);
  const developerId = found.data.developers.edges[0].node.id;
  const setAccess = `mutation($input: SetServiceAccessInput!) {
    setServiceAccess(input: $input) { developer { id services { service enabled fee } } }
  }`;
  return {
    'recharge, REST, production': (n) =>
      call(
        `${baseUrl}/api/v1/recharge`,
        {
          account_number: `98${String(76_600_000 + n)}`,
          amount: 10,
          operator_sp_key: 3,
          operator_type: 'mobile',
          client_request_id: `walk-${n}`,
        },
        token,
      ),
    '`dth-info`, REST, charged, production': (n) =>
      call(
        `${baseUrl}/api/v1/plan/dth-info`,
        { dth_number: '07210298754', opcode: 'STV', orderid: `walk-${n}` },
        token,
      ),
    '`setServiceAccess`, console': (n) =>
      graphql(setAccess, { input: { developerId, service: 'DTH_INFO', enabled: true, fee: 1 + n / 100 } }, session),
  };
}

/** Numbers of the functions that one piece of work calls, in order. */
async function entriesDuring(demo, work) {
  const { promise, resolve } = Promise.withResolvers();
  demo.onEntries = resolve;
  demo.send({ walk: 'begin' });
  await work();
  demo.send({ walk: 'end' });
  return promise;
}

const meanOf = (windows, number) =>
  windows.reduce((sum, entries) => sum + entries.filter((entry) => entry === number).length, 0) / windows.length;

/** The calls of the request with the median number of moves. */
async function walkOf(demo, request) {
  const [asked, idle] = [[], []];
  let functions;
  for (let n = 0; n < WARM_UP + MEASURED; n++) {
    const beganMs = performance.now();
    const during = await entriesDuring(demo, async () => {
      await request(n);
      await sleep(AFTER_MS);
    });
    const tookMs = performance.now() - beganMs;
    if (n < WARM_UP) continue;
    asked.push(during.entries);
    ({ functions } = during);
    idle.push((await entriesDuring(demo, () => sleep(tookMs))).entries);
  }
  const known = [...new Set(asked.flat())];
  const ours = new Set(known.filter((number) => meanOf(asked, number) - meanOf(idle, number) > 0.5));
  const walks = asked.map((entered) => {
    const entries = entered
      .filter((number) => ours.has(number))
      .map((number) => ({ number, ...placeOf(functions[number]) }));
    return { entries, followed: entries.filter(({ room }) => room !== WORDS) };
  });
  return walks.toSorted((a, b) => moves(a.followed, 'file') - moves(b.followed, 'file'))[MEASURED / 2];
}

function placeOf([compiledFile, name]) {
  const file = compiledFile.replace(/\.js$/, '.ts');
  return { file, name, room: file.includes('/') ? file.split('/')[0] : 'app' };
}

const distinct = (entries, by) => new Set(entries.map((entry) => entry[by])).size;
const moves = (entries, by) => entries.filter((entry, n) => n > 0 && entry[by] !== entries[n - 1][by]).length;

function list({ entries, followed }) {
  const rooms = Map.groupBy(entries, ({ room }) => room);
  const size = (inRoom) => distinct(inRoom, 'number');
  for (const [room, inRoom] of [...rooms].toSorted(([, a], [, b]) => size(b) - size(a))) {
    console.log(`\n  ${room}: ${size(inRoom)} functions in ${distinct(inRoom, 'file')} files`);
    for (const [file, inFile] of [...Map.groupBy(inRoom, (entry) => entry.file)].toSorted(([a], [b]) =>
      a < b ? -1 : 1,
    ))
      console.log(`    ${file}: ${[...new Set(inFile.map(({ name }) => name))].join(', ')}`);
  }
  console.log(`\n  The path without ${WORDS}, a line for each time that it comes into a room:`);
  let at;
  for (const { room, file } of followed) {
    if (room !== at?.room) {
      if (at) console.log(`    ${at.room}: ${at.files.join(' > ')}`);
      at = { room, files: [] };
    }
    const name = path.basename(file, '.ts');
    if (at.files.at(-1) !== name) at.files.push(name);
  }
  console.log(`    ${at.room}: ${at.files.join(' > ')}`);
}

/** Rows of the documented table, in order: files, modules and moves as documented. */
function documented() {
  const text = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8');
  const lines = [...text.matchAll(/^\|[^|\n]+\|(?: \d+ \|){4}$/gm)];
  return lines.map(([line]) => [...line.matchAll(/(\d+) \|/g)].slice(1).map(([, figure]) => Number(figure)));
}

/** One sentence for each walk that is longer than documented. */
function longer(measured) {
  const expected = documented();
  if (expected.length !== measured.length) throw new Error('docs/architecture.md does not have a row for each walk');
  return measured.flatMap(({ name, entries, followed }, n) => {
    const now = [distinct(entries, 'file'), distinct(entries, 'room'), moves(followed, 'room')];
    return now.some((figure, k) => figure > expected[n][k] + MORE)
      ? [`${name}: files, rooms and moves are ${now.join(', ')}, and were ${expected[n].join(', ')}`]
      : [];
  });
}

const demo = await startDemo(checkout, {
  program: 'dist/.tsc/dev/start.js',
  execArgv: ['--import', path.join(import.meta.dirname, 'entries.mjs')],
  settings: { WALK_OF: compiled, RATE_LIMIT_PER_MINUTE: '10000' },
});
demo.onMessage((message) => message.walk === 'entries' && demo.onEntries?.(message));
try {
  const measured = [];
  for (const [name, request] of Object.entries(await walksOf(demo.accounts)))
    measured.push({ name, ...(await walkOf(demo, request)) });
  console.log('| walk | functions | calls | files | rooms | room moves | file moves |\n|---|---|---|---|---|---|---|');
  for (const { name, entries, followed } of measured) {
    const figures = [
      distinct(entries, 'number'),
      entries.length,
      distinct(entries, 'file'),
      distinct(entries, 'room'),
      moves(followed, 'room'),
      moves(followed, 'file'),
    ];
    console.log(`| ${name} | ${figures.join(' | ')} |`);
  }
  if (args.includes('--judge')) {
    const found = longer(measured);
    if (found.length > 0) console.error(`A walk has become longer (docs/architecture.md):\n  ${found.join('\n  ')}`);
    process.exitCode = found.length > 0 ? 1 : 0;
  }
  if (args.includes('--list'))
    for (const { name, ...walk } of measured) {
      console.log(`\n${name}`);
      list(walk);
    }
} finally {
  await demo.stop();
}

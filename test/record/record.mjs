// `npm run record -- play DIRECTORY FILE [--requests 20000] [--seed 1]` plays requests of every kind to the build of a checkout,
// with a database of its own, and writes the answers in a form that two plays of the same behaviour share.
// `npm run record -- compare FILE FILE` says whether they are equal byte for byte, or where they begin to differ.
//
// The requests come from this checkout, and the service is reached over HTTP alone: a build of before and one whose files have moved
// hear the same. Its workers do not run, so that nothing happens between two requests.
import { createReadStream, createWriteStream, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startDemo } from '../support/demo-process.mjs';
import { NormalForm } from './normal-form.ts';
import { requestsOf } from './requests.mjs';
import { Stage } from './stage.mjs';

const { Sender } = await import('../fuzz/support/sender.ts');
const { principalOf } = await import('../fuzz/case.ts');

/** How often what requests have ended is made new. */
const REFRESH_EVERY = 25;
const SHOWN = 5;
/** No counter of a minute may end in one play and not in the other. */
const PER_MINUTE = 100;
const MINUTE_MS = 60_000;

const SETTINGS = {
  RATE_LIMIT_PER_MINUTE: '1000000',
  // every request comes from an address of its own
  TRUST_PROXY: '1',
  WORKERS: 'none',
  // a provider that is silent is not waited for long; one that answers on a busy machine is
  PROVIDER_TIMEOUT_MS: '6000',
  SYNC_WINDOW_MS: '20000',
};

/** The paths to which a host's documentation leads. */
async function pagesOf(baseUrl) {
  const found = new Set(['/', '/docs', '/livez', '/graphiql', '/.well-known/security.txt']);
  for (const page of found) {
    const response = await fetch(baseUrl + page);
    if (!response.headers.get('content-type')?.startsWith('text/html')) continue;
    const links = (await response.text()).matchAll(/(?:href|src)="([^"#?]+)/g);
    for (const [, link] of links) {
      const { origin, pathname } = new URL(link, baseUrl + page);
      if (origin === baseUrl) found.add(pathname);
    }
  }
  return [...found].toSorted();
}

/** Waits where one person would ask more often than the console allows: every person has a limit of a minute. */
class Pace {
  #sent = new Map();

  async wait({ host, headers }) {
    if (host !== 'console') return;
    const who = headers.authorization?.replace(/-\d/, '') ?? '';
    const times = this.#sent.get(who) ?? [];
    this.#sent.set(who, times);
    if (times.length >= PER_MINUTE)
      await sleep(Math.max(1, times[times.length - PER_MINUTE] + MINUTE_MS - performance.now()));
    times.push(performance.now());
  }
}

async function play(checkout, file, count, seed) {
  const demo = await startDemo(checkout, { settings: SETTINGS });
  try {
    const { uat, production, console: own, simulator } = demo.accounts;
    const urls = { uat: uat.baseUrl, production: production.baseUrl, console: own.baseUrl };
    const pages = {};
    for (const [host, url] of Object.entries(urls)) pages[host] = await pagesOf(url);
    const requests = requestsOf({ count, seed, pages });
    const secrets = JSON.parse(readFileSync(path.join(demo.dataDir, 'secrets.json'), 'utf8'));
    const stage = new Stage(demo.accounts, secrets.CALLBACK_SECRETS);
    await stage.open();
    const sender = new Sender(urls, stage.values, 1);
    const form = new NormalForm({ ...urls, simulator: simulator.baseUrl });
    const pace = new Pace();
    const out = createWriteStream(file);
    const tally = new Map();
    // a request has ended what others live on
    let isStale = false;
    for (const [n, given] of requests.entries()) {
      if (isStale && n % REFRESH_EVERY === 0) await stage.refresh();
      isStale &&= n % REFRESH_EVERY !== 0;
      await pace.wait(given);
      const answer = await sender.send(given);
      if (given.keepsTag && answer.headers.etag) stage.values.set(given.keepsTag, answer.headers.etag);
      isStale ||= answer.status === 401 && stage.values.has(`token.${principalOf(given)}`);
      // what a placeholder stands for is another text in each play
      const sent = JSON.stringify(given);
      const { kind, host, method, path: asked } = given;
      const headers = form.headers(answer.headers, sent);
      const body = form.body(answer.text, sent);
      const line = { n, kind, host, method, path: asked.slice(0, 200), status: answer.status, headers, body };
      out.write(`${JSON.stringify(line)}\n`);
      const statuses = tally.get(kind) ?? new Map();
      tally.set(kind, statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1));
    }
    await new Promise((resolve) => out.end(resolve));
    await sender.close();
    for (const [kind, statuses] of [...tally].toSorted())
      console.log(
        `${kind}: ${[...statuses]
          .toSorted()
          .map(([status, times]) => `${status} × ${times}`)
          .join(', ')}`,
      );
    console.log(`${requests.length} requests of seed ${seed} in ${file}`);
  } finally {
    await demo.stop();
  }
}

/** `readline` would also split at U+2028, which JSON leaves as it is. */
async function* linesOf(file) {
  let rest = '';
  for await (const chunk of createReadStream(file, 'utf8')) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** Where two lines differ: the fields, with what each says from a little before the first difference. */
function differenceOf(one, other) {
  const [a, b] = [JSON.parse(one), JSON.parse(other)];
  return Object.keys(a).flatMap((name) => {
    const [left, right] = [JSON.stringify(a[name]), JSON.stringify(b[name]) ?? ''];
    if (left === right) return [];
    let at = 0;
    while (left[at] === right[at]) at++;
    const from = Math.max(0, at - 80);
    return [`  ${name}`, `    ${left.slice(from, at + 160)}`, `    ${right.slice(from, at + 160)}`];
  });
}

async function compare(fileA, fileB) {
  const others = linesOf(fileB)[Symbol.asyncIterator]();
  let [compared, different] = [0, 0];
  for await (const one of linesOf(fileA)) {
    const { value: other } = await others.next();
    compared++;
    if (one === other) continue;
    different++;
    if (different > SHOWN) continue;
    const { n, kind, host, method, path: asked } = JSON.parse(one);
    console.log(`${n} ${kind}: ${host} ${method} ${asked}`);
    console.log(other === undefined ? '  the second file ends here' : differenceOf(one, other).join('\n'));
  }
  if (!(await others.next()).done) different++;
  console.log(different === 0 ? `Equal: ${compared} answers.` : `${different} of ${compared} answers differ.`);
  if (different > 0) process.exitCode = 1;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { requests: { type: 'string', default: '20000' }, seed: { type: 'string', default: '1' } },
});
const [command, first, second] = positionals;
if (command === 'play' && second) await play(first, second, Number(values.requests), Number(values.seed));
else if (command === 'compare' && second) await compare(first, second);
else throw new Error('Say "play DIRECTORY FILE" or "compare FILE FILE".');

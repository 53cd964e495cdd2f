// `npm run record -- play DIRECTORY FILE [--requests 20000] [--seed 1]` sends requests of every kind to the build of a checkout,
// with a separate database, and writes the responses in a normal form. `npm run record -- compare FILE FILE` reports whether two
// files are equal byte for byte, or their first differences. The requests come from this checkout, and the service is only
// accessed over HTTP, so builds with a different file structure receive the same requests. Its workers are disabled, so that
// nothing happens between two requests.
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

/** Number of requests after which expired tokens and sessions are replaced. */
const REFRESH_EVERY = 25;
const SHOWN = 5;
/** A rate limit per minute must not apply in only one of two runs. */
const PER_MINUTE = 100;
const MINUTE_MS = 60_000;

const SETTINGS = {
  RATE_LIMIT_PER_MINUTE: '1000000',
  // every request has its own address
  TRUST_PROXY: '1',
  WORKERS: 'none',
  // short for a provider that is silent, but long enough for one that responds on a busy machine
  PROVIDER_TIMEOUT_MS: '6000',
  SYNC_WINDOW_MS: '20000',
};

/** Paths of all pages that the documentation of a host links to. */
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

/** Delays requests that would exceed the rate limit per user and minute on the console. */
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
    // a request has ended tokens or sessions that others use
    let isStale = false;
    for (const [n, given] of requests.entries()) {
      if (isStale && n % REFRESH_EVERY === 0) await stage.refresh();
      isStale &&= n % REFRESH_EVERY !== 0;
      await pace.wait(given);
      const reply = await sender.send(given);
      if (given.keepsTag && reply.headers.etag) stage.values.set(given.keepsTag, reply.headers.etag);
      isStale ||= reply.status === 401 && stage.values.has(`token.${principalOf(given)}`);
      // the values of placeholders differ between runs
      const sent = JSON.stringify(given);
      const { kind, host, method, path: asked } = given;
      const headers = form.headers(reply.headers, sent);
      const body = form.body(reply.text, sent);
      const line = { n, kind, host, method, path: asked.slice(0, 200), status: reply.status, headers, body };
      out.write(`${JSON.stringify(line)}\n`);
      const statuses = tally.get(kind) ?? new Map();
      tally.set(kind, statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1));
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

/** `readline` would also split at U+2028, which JSON does not escape. */
async function* linesOf(file) {
  let rest = '';
  for await (const chunk of createReadStream(file, 'utf8')) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** Fields in which two lines differ, each with its text from shortly before the first difference. */
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
else throw new Error('Usage: play DIRECTORY FILE, or compare FILE FILE.');

/**
 * Polls a few addresses from a separate process and measures the response times. Started with `fork`; targets: [{name, url,
 * headers, body?, needs?, pauseMs?}]. A body is sent with POST, with a unique number for each `{{serial}}`. `lateMs` is the delay
 * of its own timers: this part of a wait is caused by the machine.
 *
 * parent → probe  {begin: targets, from?}, {end: true}. With `from`, a local address, all names resolve to this machine and any
 *     certificate is accepted.
 * probe → parent  {ready: true}, {report: {lateMs, rows: {name: {asked, longestMs, p50Ms, p99Ms, statuses, errorText?}}}}
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';

const PAUSE_MS = 5;
const LIMIT_MS = 120_000;
/** Number of responses that are not counted, because the first ones also compile the probe and open its connections. */
const WARM_UP = 50;
/** The same number for a target with few requests. */
const WARM_UP_SELDOM = 5;
const ERROR_CHARACTERS = 300;

const lookup = (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]);

let round;
let serial = Date.now();

async function ask({ url, headers, body, needs, pauseMs = PAUSE_MS }, row, current) {
  while (round === current) {
    row.askedAtMs = performance.now();
    row.asked++;
    try {
      const posted = body && { method: 'POST', body: body.replaceAll('{{serial}}', String(++serial)) };
      const answer = await request(url, { headers, dispatcher: current.agent, ...posted });
      let status = answer.statusCode;
      if (status < 400 && needs === undefined) await answer.body.dump();
      else {
        const text = await answer.body.text();
        if (status < 400 && !text.includes(needs)) status = 'unexpected';
        if (status === 'unexpected' || status >= 400) row.errorText = text.slice(0, ERROR_CHARACTERS);
      }
      row.statuses[status] = (row.statuses[status] ?? 0) + 1;
    } catch {
      row.statuses.none = (row.statuses.none ?? 0) + 1;
    }
    row.waitedMs.push(performance.now() - row.askedAtMs);
    row.askedAtMs = undefined;
    if (row.asked >= (pauseMs > PAUSE_MS ? WARM_UP_SELDOM : WARM_UP)) row.warm();
    const pausedAtMs = performance.now();
    await sleep(pauseMs);
    current.lateMs = Math.max(current.lateMs, performance.now() - pausedAtMs - pauseMs);
  }
}

async function begin(targets, from) {
  const current = {
    rows: {},
    lateMs: 0,
    // one agent for each target, so that none waits for another
    agent: new Agent({
      connections: targets.length,
      headersTimeout: LIMIT_MS,
      bodyTimeout: LIMIT_MS,
      ...(from === undefined ? {} : { connect: { localAddress: from, lookup, rejectUnauthorized: false } }),
    }),
  };
  round = current;
  await Promise.all(
    targets.map(
      (target) =>
        new Promise((warm) => {
          current.rows[target.name] = { asked: 0, waitedMs: [], statuses: {}, warm };
          void ask(target, current.rows[target.name], current);
        }),
    ),
  );
  for (const row of Object.values(current.rows))
    Object.assign(row, { asked: 0, waitedMs: [], statuses: {}, errorText: undefined });
  current.lateMs = 0;
  process.send({ ready: true });
}

function end() {
  const { rows, lateMs, agent } = round;
  round = undefined;
  const nowMs = performance.now();
  const report = Object.fromEntries(
    Object.entries(rows).map(([name, { asked, waitedMs, statuses, errorText, askedAtMs = nowMs }]) => {
      // a request in progress counts with the time that it has waited
      const sorted = [...waitedMs, nowMs - askedAtMs].toSorted((a, b) => a - b);
      const at = (share) => sorted[Math.floor((sorted.length - 1) * share)];
      return [name, { asked, longestMs: at(1), p50Ms: at(0.5), p99Ms: at(0.99), statuses, errorText }];
    }),
  );
  process.send({ report: { lateMs, rows: report } });
  void agent.destroy();
}

process.on('message', (message) => {
  if (message.begin) void begin(message.begin, message.from);
  else end();
});
process.on('disconnect', () => process.exit(0));

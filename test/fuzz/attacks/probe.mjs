/**
 * Asks a few addresses again and again, from a process of its own, and measures how long each answer takes to come. Started with
 * `fork`; targets: [{name, url, headers}].
 *
 * parent → probe  {begin: targets}, {end: true}
 * probe → parent  {report: {name: {asked, longestMs, statuses}}}
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';

const PAUSE_MS = 5;
const LIMIT_MS = 120_000;

let round;

async function ask({ url, headers }, row, current) {
  while (round === current) {
    row.askedAtMs = performance.now();
    row.asked++;
    try {
      const answer = await request(url, { headers, dispatcher: current.agent, signal: AbortSignal.timeout(LIMIT_MS) });
      await answer.body.dump();
      row.statuses[answer.statusCode] = (row.statuses[answer.statusCode] ?? 0) + 1;
    } catch {
      row.statuses.none = (row.statuses.none ?? 0) + 1;
    }
    row.longestMs = Math.max(row.longestMs, performance.now() - row.askedAtMs);
    row.askedAtMs = undefined;
    await sleep(PAUSE_MS);
  }
}

process.on('message', (message) => {
  if (message.begin) {
    round = { rows: {}, agent: new Agent({ connections: 2 }) };
    for (const target of message.begin) {
      const row = (round.rows[target.name] = { asked: 0, longestMs: 0, statuses: {} });
      void ask(target, row, round);
    }
    return;
  }
  const { rows, agent } = round;
  round = undefined;
  // what is still waiting counts with the time that it has waited
  for (const row of Object.values(rows))
    if (row.askedAtMs !== undefined) row.longestMs = Math.max(row.longestMs, performance.now() - row.askedAtMs);
  process.send({ report: rows });
  void agent.destroy();
});
process.on('disconnect', () => process.exit(0));

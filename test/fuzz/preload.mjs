/**
 * Loaded into the service under test with `node --import`. Watches how long its event loop does not come round, and tells the test
 * about every block that the service's own work made: processor time of its thread, because on a busy machine a thread also waits
 * for its turn.
 *
 * test → process  {fuzz: 'longest'}                 the longest block since the last question, and its processor time so far
 * process → test  {fuzz: 'longest', ms, cpuMs}, {fuzz: 'blocked', ms, atMs}
 */
const EVERY_MS = 5;
const LIMIT_MS = 50;

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};
const tell = (message) => process.connected && process.send(message, undefined, {}, () => {});

let lastMs = performance.now();
let lastCpuMs = cpuMs();
let longestMs = 0;

setInterval(() => {
  const nowMs = performance.now();
  const nowCpuMs = cpuMs();
  const blockedMs = Math.min(nowMs - lastMs - EVERY_MS, nowCpuMs - lastCpuMs);
  lastMs = nowMs;
  lastCpuMs = nowCpuMs;
  longestMs = Math.max(longestMs, blockedMs);
  if (blockedMs > LIMIT_MS) tell({ fuzz: 'blocked', ms: blockedMs, atMs: Date.now() });
}, EVERY_MS).unref();

process.on('message', (message) => {
  if (message?.fuzz !== 'longest') return;
  tell({ fuzz: 'longest', ms: longestMs, cpuMs: process.cpuUsage().user / 1_000 + process.cpuUsage().system / 1_000 });
  longestMs = 0;
});
// a process under test ends with its test, whatever happened to that
process.on('disconnect', () => process.exit(0));
process.channel?.unref();

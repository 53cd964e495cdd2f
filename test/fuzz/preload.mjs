/**
 * Loaded into the service under test with `node --import`. Measures for how long its event loop is blocked, and reports every
 * block caused by the work of the service itself. The processor time of the thread decides this, because on a busy machine a
 * thread also waits for its turn.
 *
 * test → process  {fuzz: 'longest'}   the longest block since the last query, and the processor time so far
 * process → test  {fuzz: 'longest', ms, cpuMs}, {fuzz: 'blocked', ms, atMs}
 */
const EVERY_MS = 5;
const LIMIT_MS = 50;

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};
const report = (message) => process.connected && process.send(message, undefined, {}, () => {});

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
  if (blockedMs > LIMIT_MS) report({ fuzz: 'blocked', ms: blockedMs, atMs: Date.now() });
}, EVERY_MS).unref();

process.on('message', (message) => {
  if (message?.fuzz !== 'longest') return;
  report({
    fuzz: 'longest',
    ms: longestMs,
    cpuMs: process.cpuUsage().user / 1_000 + process.cpuUsage().system / 1_000,
  });
  longestMs = 0;
});
// a process under test exits with its test, however that ends
process.on('disconnect', () => process.exit(0));
process.channel?.unref();

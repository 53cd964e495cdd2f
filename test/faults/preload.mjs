/**
 * Loaded into an API process under test with `node --import`. It wraps the libraries of the service (pg, undici), reports to the
 * test which order has reached which gate, and stops the order there on request. The service itself knows nothing about faults.
 *
 * test → process  {fault: 'watch', subjects: [{developerId, texts}], stops: [[gate, developerId], ...], ask}
 *     {fault: 'go', gate, developers, ask}   continues them, and removes their stops at this gate
 *     {fault: 'memory', ask}   collects garbage, then reports the heap in use
 * process → test  {fault: 'reached', gate, developers, stopped, port, pid}   port, pid: of the database connection
 *     {fault: 'done', ask, heapBytes}, {fault: 'complaint', kind, text}
 */
import pg from 'pg';
import { Agent } from 'undici';

/** developerId → texts that identify it in a provider call: account, lead code, our reference. */
const subjects = new Map();
/** `gate developerId` */
const stops = new Set();
/** Paused operations: {gate, developers, resume} */
let waiting = [];

const report = (message) => process.connected && process.send(message, undefined, {}, () => {});

/** Returns a promise if an operation must wait here, else undefined, so that unrelated operations are not delayed. */
function reach(gate, candidates, connection = {}) {
  if (subjects.size === 0) return undefined;
  const developers = candidates.filter((id) => subjects.has(id));
  if (developers.length === 0) return undefined;
  const stopped = developers.some((id) => stops.has(`${gate} ${id}`));
  report({ fault: 'reached', gate, developers, stopped, ...connection });
  return stopped ? new Promise((resume) => waiting.push({ gate, developers, resume })) : undefined;
}

/** Stops the whole process once, at points where a single operation cannot wait, until the test continues it. */
function freeze(gate, candidates) {
  const stopped = candidates.filter((id) => stops.delete(`${gate} ${id}`));
  if (stopped.length === 0) return;
  report({ fault: 'reached', gate, developers: stopped, stopped: true });
  process.kill(process.pid, 'SIGSTOP');
}

/** Replaces the watch list and its stops; paused operations continue. */
function watch({ subjects: wanted, stops: wantedStops }) {
  subjects.clear();
  stops.clear();
  for (const { developerId, texts } of wanted) subjects.set(developerId, [...texts]);
  for (const [gate, developerId] of wantedStops) stops.add(`${gate} ${developerId}`);
  for (const { resume } of waiting.splice(0)) resume();
}

function go(gate, developers) {
  for (const id of developers) stops.delete(`${gate} ${id}`);
  const free = waiting.filter((item) => item.gate === gate && item.developers.some((id) => developers.includes(id)));
  waiting = waiting.filter((item) => !free.includes(item));
  for (const { resume } of free) resume();
}

process.on('message', (message) => {
  if (message?.fault === 'watch') watch(message);
  else if (message?.fault === 'go') go(message.gate, message.developers);
  else if (message?.fault === 'memory') globalThis.gc();
  else return;
  report({ fault: 'done', ask: message.ask, heapBytes: process.memoryUsage().heapUsed });
});
// a process under test exits with its test, however that ends
process.on('disconnect', () => process.exit(0));
process.channel?.unref();

process.on('unhandledRejection', (reason) =>
  report({ fault: 'complaint', kind: 'unhandledRejection', text: String(reason?.stack ?? reason) }),
);
process.on('warning', (warning) => report({ fault: 'complaint', kind: 'warning', text: String(warning.stack) }));

// stops that apply from the start of the process
if (process.env.FAULT_WATCH) watch(JSON.parse(process.env.FAULT_WATCH));

/** Name of the statement and its developers: [name, developers]. */
function statementOf(client, { name, text, values = [] }) {
  switch (name) {
    case 'ledger-hold':
      return ['hold', values[0]];
    case 'ledger-resolve':
      return ['resolve', values[0]];
    case 'order-claim':
      return ['claim', [values[0]]];
    case 'order-still-claimed':
      return ['look', [values[0]]];
    case 'order-unknown':
      return ['unknown', [values[0]]];
    case 'order-lease-due':
      return ['lease', []];
    case 'counters-add':
      return ['admission', values[0].flatMap((key) => /^rate:([\da-f-]{36}):/.exec(key)?.[1] ?? [])];
  }
  if (text.includes('ledger_post(')) {
    client.feeOf = values[0];
    return ['fee', [values[0]]];
  }
  if (client.feeOf !== undefined && /^commit/i.test(text)) {
    const developers = [client.feeOf];
    client.feeOf = undefined;
    return ['commit', developers];
  }
  // the ORM writes values into the text
  const lead = /from "lead" .*"developer_id" = '([\da-f-]{36})'.* for update/is.exec(text);
  if (lead) return ['lead', [lead[1]]];
  return undefined;
}

/** Leases return the developers only in their result. After that, our reference identifies the order in a status check. */
function leased(rows) {
  for (const { developer_id: developerId, reference } of rows) subjects.get(developerId)?.push(reference);
  return rows.map((row) => row.developer_id);
}

const { query } = pg.Client.prototype;
pg.Client.prototype.query = function (config, values, callback) {
  const given = typeof config === 'string' ? { text: config, values: Array.isArray(values) ? values : [] } : config;
  const known = subjects.size > 0 && typeof given?.text === 'string' && statementOf(this, given);
  if (!known) return query.call(this, config, values, callback);
  const [name, developers] = known;
  const done = typeof values === 'function' ? values : callback;
  const parameters = Array.isArray(values) ? values : undefined;
  const run = async () => {
    const connection = { port: this.connection?.stream?.localPort, pid: this.processID };
    await reach(`${name}:before`, developers, connection);
    const result = await query.call(this, config, parameters);
    await reach(`${name}:after`, name === 'lease' ? leased(result.rows) : developers, connection);
    return result;
  };
  if (!done) return run();
  run().then(
    (result) => done(null, result),
    (error) => done(error),
  );
  return undefined;
};

const { dispatch } = Agent.prototype;
Agent.prototype.dispatch = function (options, handler) {
  if (subjects.size > 0) {
    const wire = decodeURIComponent(options.path) + (options.body ? Buffer.from(options.body).toString('latin1') : '');
    const developers = [...subjects].filter(([, texts]) => texts.some((text) => wire.includes(text))).map(([id]) => id);
    if (developers.length > 0) {
      // the response has arrived, or can no longer arrive
      for (const method of ['onResponseEnd', 'onResponseError']) {
        const original = handler[method];
        handler[method] = function (...args) {
          void reach('answer', developers);
          return original.apply(handler, args);
        };
      }
      // the connection exists, and undici writes to it as soon as this function returns
      const { onRequestStart } = handler;
      handler.onRequestStart = function (...args) {
        freeze('connected', developers);
        onRequestStart.apply(handler, args);
        freeze('write', developers);
      };
      const waits = reach('dispatch', developers);
      if (waits) {
        void waits.then(() => dispatch.call(this, options, handler));
        return true;
      }
    }
  }
  return dispatch.call(this, options, handler);
};

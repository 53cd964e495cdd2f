// A recharge without this service: only the money of one order in two durable commits over HTTP, without tokens, limits,
// validation or a provider. FORM=six: each commit is a transaction of six round trips on tables of the benchmark. FORM=functions:
// each commit is one call of our SQL function for this order.
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';
import { announce } from './announce.mjs';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 32 });
const AMOUNT = 1_000;

/** One prepared statement. */
const prepared = (name, text) => (client, values) => client.query({ name, text, values });
const begin = prepared('begin', 'begin');
const commit = prepared('commit', 'commit');
const lockWallet = prepared(
  'lock',
  'select balance_paise, version from bench.wallet where developer_id = $1 for update',
);
const lockOrder = prepared('order', 'select state from bench.orders where id = $1 for update');
const insertOrder = prepared('insert', `insert into bench.orders values ($1, $2, $3, $4, 'open')`);
const insertTransfer = prepared('transfer', 'insert into bench.transfer values ($1, $2, $3, $4, $5)');
const updateWallet = prepared(
  'wallet',
  'update bench.wallet set balance_paise = $2, version = version + 1 where developer_id = $1',
);
const updateOrder = prepared('settle', `update bench.orders set state = 'success', answer = $2 where id = $1`);
const readWallet = prepared('read', 'select balance_paise from bench.wallet where developer_id = $1');

async function transaction(work) {
  const client = await pool.connect();
  try {
    await begin(client);
    await work(client);
    await commit(client);
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

async function six(developer) {
  const id = randomUUID();
  await transaction(async (client) => {
    const { rows } = await lockWallet(client, [developer]);
    const balance = BigInt(rows[0].balance_paise) - BigInt(AMOUNT);
    if (balance < 0n) throw new Error('INSUFFICIENT_BALANCE');
    await insertOrder(client, [id, developer, AMOUNT, randomBytes(200)]);
    await insertTransfer(client, [developer, id, 1, AMOUNT, balance]);
    await updateWallet(client, [developer, balance]);
  });
  await transaction(async (client) => {
    const { rows } = await lockOrder(client, [id]);
    if (rows[0].state !== 'open') throw new Error('already');
    await insertTransfer(client, [developer, id, 2, AMOUNT, null]);
    await updateOrder(client, [id, randomBytes(200)]);
    await readWallet(client, [developer]);
  });
}

const hold = prepared(
  'hold',
  `select * from ledger_hold($1::uuid[], array['production'], array['recharge'], $2::uuid[], $3::text[], $4::text[], $5::bytea[],
    array[${AMOUNT}::bigint], array['ROUNDPAY'], $6::bytea[], $5::bytea[], array[60000])`,
);
const resolve = prepared(
  'resolve',
  `select * from ledger_resolve($1::uuid[], $2::uuid[], array[true], $3::bytea[], array['T1'], array['response'],
    array['{"reason":"provider_success"}'::jsonb])`,
);
/** Our order IDs contain the time. Generating many at once in the database costs nothing here. */
let ids = [];
async function nextId() {
  if (ids.length === 0) {
    const { rows } = await pool.query('select uuidv7() as id from generate_series(1, 1000)');
    ids.push(...rows.map(({ id }) => id));
  }
  return ids.pop();
}

async function functions(developer) {
  const id = await nextId();
  const key = randomBytes(12).toString('hex');
  const held = await hold(pool, [[developer], [id], [`R${key}`], [key], [randomBytes(32)], [randomBytes(200)]]);
  if (held.rows[0].outcome !== 'accepted') throw new Error(held.rows[0].outcome);
  const resolved = await resolve(pool, [[developer], [id], [randomBytes(200)]]);
  if (resolved.rows[0].outcome !== 'settle') throw new Error(resolved.rows[0].outcome);
}

const form = { six, functions }[process.env.FORM];
createServer((request, response) => {
  const done = (status, text) => response.writeHead(status, { 'content-length': text.length }).end(text);
  request.resume();
  form(request.url.slice(1)).then(
    () => done(200, '{"status":"success"}'),
    (error) => done(500, String(error.message)),
  );
}).listen(Number(process.env.PORT), '127.0.0.1', announce);

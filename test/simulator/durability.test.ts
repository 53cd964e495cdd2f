import { appendFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { demoCredentials, demoLeadCustomerId } from '../../src/simulator/credentials.js';
import { Journal } from '../../src/simulator/journal.js';
import { startSimulator } from '../../src/simulator/server.js';
import {
  freshSimulator,
  newReference,
  postJson,
  roundpayStatusUrl,
  roundpayTransactionUrl,
  rowsOf,
  send,
  silenceOf,
} from './simulator.fixture.js';

describe('the book', () => {
  let simulator: Awaited<ReturnType<typeof freshSimulator>>;
  beforeEach(async () => {
    simulator = await freshSimulator();
  });
  afterEach(() => simulator.close());

  const book = () => rowsOf(`${simulator.url}/_/book`);
  const checkStatus = async (reference: string) =>
    (await send(roundpayStatusUrl(simulator.url, { AGENTID: reference }))).body.STATUS;
  const rechargeUrl = (Account: string, APIRequestID: string) =>
    roundpayTransactionUrl(simulator.url, { Account, APIRequestID });

  it('keeps completed, failed and pending transactions and their status checks after a restart', async () => {
    const [succeeded, failed, pending] = [newReference(), newReference(), newReference()];
    const first = await send(rechargeUrl('9876541701', succeeded));
    await silenceOf(rechargeUrl('9876540003', failed));
    await send(rechargeUrl('9876540005', pending));
    await checkStatus(pending);
    await checkStatus(pending);
    const bookBefore = await book();

    await simulator.restart();
    expect(await book()).toEqual(bookBefore);
    expect(bookBefore.map((row) => row.reference)).toEqual([succeeded, pending]);
    expect((await send(rechargeUrl('9876541701', succeeded))).body).toMatchObject({ RPID: first.body.RPID });
    expect(await checkStatus(failed)).toBe('3');
    expect(await checkStatus(pending)).toBe('2');
    expect(await book()).toEqual(bookBefore);
    const next = await send(rechargeUrl('9876541702', newReference()));
    expect(next.body.RPID).not.toBe(first.body.RPID);
  });

  it('resumes a scheduled reversal after a restart', async () => {
    const reference = newReference();
    await send(rechargeUrl('9876540010', reference));
    await simulator.restart();
    expect(await checkStatus(reference)).toBe('2');
    await expect.poll(() => checkStatus(reference)).toBe('4');
    await simulator.restart();
    expect(await checkStatus(reference)).toBe('4');
    expect((await book()).map((row) => row.outcome)).toEqual(['succeeded', 'reversed']);
  });

  it('keeps fetch IDs, leads and customers after a restart', async () => {
    const { apiKey, iv } = demoCredentials.banksathi;
    const headers = { 'x-api-key': apiKey, iv };
    const leads = (path: string) => `${simulator.url}/banksathi/api/b2b/${path}`;
    const lead = { product_id: '2301', customer_id: demoLeadCustomerId };
    const created = await send(leads('lead'), { method: 'POST', headers, body: new URLSearchParams(lead) });
    const code = (created.body.data as { lead_code: string }).lead_code;
    const status = async () =>
      ((await send(leads(`leadStatus?lead_code=${code}`), { headers })).body.data as { lead_status: string })
        .lead_status;
    expect(await status()).toBe('pending');

    const inspay = (path: string, fields: object) =>
      send(
        `${simulator.url}/inspay/v4/credit_card/${path}`,
        postJson({ ...demoCredentials.inspay, mobile: '9876541703', card: '3008', opcode: 'HSBC', ...fields }),
      );
    const { fetch_id } = (await inspay('bill_fetch', { orderid: newReference() })).body;

    await simulator.restart();
    expect(await status()).toBe('submitted');
    await simulator.restart();
    expect(await status()).toBe('approved');
    const paid = await inspay('bill_pay', { orderid: newReference(), amount: 100, fetch_id });
    expect(paid.body.status).toBe('Success');
  });

  it('flushes completed transactions before the connection is dropped', async () => {
    const reference = newReference();
    expect(await silenceOf(rechargeUrl('9876540012', reference))).toBe('reset');
    expect(await readFile(join(simulator.dataDir, 'simulator', 'book.jsonl'), 'utf8')).toContain(reference);
  });
});

describe('the book file', () => {
  let dataDir: string;
  let path: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'simulator-book-'));
    path = join(dataDir, 'book.jsonl');
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  async function replayed(): Promise<unknown[]> {
    const records: unknown[] = [];
    const journal = await Journal.open(path, (record) => records.push(record));
    await journal.close();
    return records;
  }

  it('drops a truncated last line and continues after the last complete one', async () => {
    await writeFile(path, '{"n":1}\n{"n":2}\n{"n":');
    const journal = await Journal.open(path, () => {});
    await journal.append({ n: 3 });
    await journal.close();
    expect(await replayed()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  it('keeps the order of many appends and writes them together', async () => {
    const journal = await Journal.open(path, () => {});
    const numbers = Array.from({ length: 500 }, (_, n) => n);
    await Promise.all(numbers.map((n) => journal.append({ n })));
    await journal.close();
    expect(await replayed()).toEqual(numbers.map((n) => ({ n })));
  });

  it('removes earlier records and keeps later ones when cleared', async () => {
    const journal = await Journal.open(path, () => {});
    const settled = Promise.all([journal.append({ n: 1 }), journal.clear(), journal.append({ n: 2 })]);
    await settled;
    await journal.close();
    expect(await replayed()).toEqual([{ n: 2 }]);
  });

  it('reports the line that is not valid', async () => {
    await writeFile(path, '{"n":1}\nnonsense\n');
    await expect(replayed()).rejects.toThrow(`${path}, line 2: `);
    await mkdir(join(dataDir, 'simulator'));
    await appendFile(join(dataDir, 'simulator', 'book.jsonl'), '{"kind":"other"}\n');
    await expect(startSimulator({ host: '127.0.0.1', port: 0, dataDir })).rejects.toThrow('line 1: ');
    expect((await stat(join(dataDir, 'simulator', 'book.jsonl'))).size).toBe(17);
  });

  it('rejects every record after a failed write', async () => {
    const journal = await Journal.open(path, () => {});
    await journal.close();
    await expect(journal.append({ n: 1 })).rejects.toThrow();
    await expect(journal.append({ n: 2 })).rejects.toThrow();
  });
});

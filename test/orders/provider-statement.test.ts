import { expect, it } from 'vitest';
import { csvRecord, csvRecords } from '../../src/core/csv.js';
import { defaultColumns, readBook, readCsvStatement } from '../../src/reconcile/provider-statement.js';
import { timeFormatOf } from '../../src/reconcile/statement-times.js';

async function all(...pieces: string[]): Promise<string[][]> {
  const records: string[][] = [];
  for await (const { fields } of csvRecords(pieces)) records.push(fields);
  return records;
}
const read = (text: string, more: object = {}) =>
  readCsvStatement([text], { provider: 'ROUNDPAY', columns: defaultColumns, ...more });
const HEADER = 'reference,account,amount,status,time\n';

it('reads CSV as defined in RFC 4180, regardless of chunk boundaries', async () => {
  const text = '\uFEFFa,b\r\n"1,2","say ""so"""\r\n\r\n"two\nlines",\nx,""';
  const expected = [
    ['a', 'b'],
    ['1,2', 'say "so"'],
    ['two\nlines', ''],
    ['x', ''],
  ];
  expect(await all(text)).toEqual(expected);
  expect(await all(...text)).toEqual(expected);
  for (let cut = 1; cut < text.length; cut++) expect(await all(text.slice(0, cut), text.slice(cut))).toEqual(expected);
  await expect(all('a\n"b')).rejects.toThrow('Line 2: a quotation mark is not closed.');
});

it('reads its own output', async () => {
  const fields = ['plain', 'a,b', 'say "so"', 'two\r\nlines', ''];
  expect(await all(csvRecord(fields))).toEqual([fields]);
});

it('finds columns by name in any order and case, and parses the amounts and times of providers', async () => {
  const text =
    'Txn Status,Mobile,When,Amt\nSuccess,9876543210,2026-03-01T10:00:00Z,"1,00,199.5"\n2,9876543210,01/03/2026 10:00,10\nREFUNDED,9876543210,2026-03-01 10:00:05,0.01\n';
  const columns = { account: 'mobile', amount: 'AMT', status: 'txn status', time: 'when' };
  const lines = await read(text, { columns });
  expect(
    lines.map(({ line, reference, account, amountPaise, status, at }) => [
      line,
      reference,
      account,
      amountPaise,
      status,
      at.toISOString(),
    ]),
  ).toEqual([
    [2, '', '9876543210', 100_199_50n, 'succeeded', '2026-03-01T10:00:00.000Z'],
    [3, '', '9876543210', 1_000n, 'succeeded', '2026-03-01T04:30:00.000Z'],
    [4, '', '9876543210', 1n, 'reversed', '2026-03-01T04:30:05.000Z'],
  ]);
});

it('maps the status codes of one provider and additional words from the configuration', async () => {
  const text = `${HEADER}R,1,10,2,2026-03-01 10:00:00\n`;
  expect((await read(text))[0]!.status).toBe('succeeded');
  await expect(read(text, { provider: 'MOKSHIQ' })).rejects.toThrow('line 2: the status word is unknown');
  expect((await read(text, { provider: 'MOKSHIQ', words: { 2: 'failed' } }))[0]!.status).toBe('failed');
});

it('rejects a file with unreadable lines and names each line without its values', async () => {
  const secret = '9876543210';
  const text = `${HEADER}R,${secret},ten,SUCCESS,2026-03-01 10:00:00\nR,${secret},10,OK?,2026-03-01 10:00:00\nR,${secret},10,SUCCESS,yesterday\nR,${secret},-1,SUCCESS,2026-03-01 10:00:00\n`;
  const { message } = await read(text).then(
    () => new Error('read'),
    (error: Error) => error,
  );
  expect(message.split('\n').map((line) => line.trim().slice(0, 7))).toEqual([
    'The sta',
    'line 2:',
    'line 3:',
    'line 4:',
    'line 5:',
  ]);
  expect(message).not.toContain(secret);
});

it.each([
  ['', 'the file is empty'],
  ['account,amount,status\n', 'the header has no column for reference, time'],
])('rejects the file "%s"', async (text, message) => {
  await expect(read(text)).rejects.toThrow(message);
});

it('reads the lines of one provider from the simulator’s book', () => {
  const text = [
    '{"provider":"roundpay","reference":"R","account":"1","amount":1000,"outcome":"performed","time":"2026-03-01T10:00:00.000Z"}',
    '{"provider":"mokshiq","reference":null,"account":"2","amount":1999,"outcome":"reversed","time":"2026-03-01T10:00:01.000Z"}',
    '',
  ].join('\n');
  expect(readBook(text, 'MOKSHIQ')).toEqual([
    {
      line: 2,
      reference: '',
      account: '2',
      amountPaise: 1999n,
      status: 'reversed',
      at: new Date('2026-03-01T10:00:01.000Z'),
    },
  ]);
  expect(() => readBook('{"provider":"roundpay","amount":"10"}', 'ROUNDPAY')).toThrow(
    "line 1: not a valid line of the simulator's book",
  );
});

it.each([
  ['199.0000', 19_900n],
  ['₹199.00', 19_900n],
  ['₹ 1,00,199.50', 1_00_199_50n],
  ['Rs. 199', 19_900n],
  ['199.001', undefined],
  ['199.0010', undefined],
  ['$199', undefined],
  ['', undefined],
])('parses the amount "%s" exactly or not at all', async (amount, expected) => {
  const lines = read(`${HEADER}R,1,"${amount}",SUCCESS,2026-03-01 10:00:00\n`);
  if (expected === undefined) await expect(lines).rejects.toThrow('line 2: the amount is not a valid amount in rupees');
  else expect((await lines)[0]!.amountPaise).toBe(expected);
});

it.each([
  ['20 Nov 2026 10:00:00 AM', '2026-11-20T04:30:00.000Z'],
  ['20-NOV-2026 12:05 am', '2026-11-19T18:35:00.000Z'],
  ['20/11/2026 02:00:00 PM', '2026-11-20T08:30:00.000Z'],
  ['20/11/2026 12:00 PM', '2026-11-20T06:30:00.000Z'],
  ['2026-11-20 10:00:00.250+0530', '2026-11-20T04:30:00.250Z'],
  ['2026-11-20 10:00Z', '2026-11-20T10:00:00.000Z'],
  ['31/02/2026 10:00:00', undefined],
  ['20/11/2026 14:00:00 PM', undefined],
  ['20 Xyz 2026 10:00:00', undefined],
  ['20/11/2026', undefined],
])('parses the time "%s" or rejects it', async (time, expected) => {
  const lines = read(`${HEADER}R,1,10,SUCCESS,${time}\n`);
  if (expected === undefined) await expect(lines).rejects.toThrow('line 2: the time has an unknown format');
  else expect((await lines)[0]!.at.toISOString()).toBe(expected);
});

it('parses only times in the configured format', async () => {
  const day = { timeFormat: timeFormatOf('DD.MM.YYYY') };
  const [line] = await read(`${HEADER}R,1,10,SUCCESS,20.11.2026\n`, day);
  expect(line!.at.toISOString()).toBe('2026-11-19T18:30:00.000Z');
  await expect(read(`${HEADER}R,1,10,SUCCESS,2026-11-20 10:00\n`, day)).rejects.toThrow(
    'the time has an unknown format',
  );
  // month before day, which cannot be detected from the file
  const american = timeFormatOf('MM/DD/YYYY HH:mm');
  expect(american('03/01/2026 10:00')!.toISOString()).toBe('2026-03-01T04:30:00.000Z');
  for (const invalid of ['DD/MM', 'YYYY-MM-DD hh:mm', 'HH:mm', 'DD MM YYYY HH'])
    expect(() => timeFormatOf(invalid)).toThrow('A time format requires');
});

it('reads a file with a title, a total and another delimiter if configured', async () => {
  const text = `Recharge report;;;;\n\nreference;account;amount;status;time\nR;1;10,000;SUCCESS;2026-03-01 10:00\nTotal;;10,000;;\n`;
  await expect(read(text)).rejects.toThrow('the header has no column');
  const form = { delimiter: ';', skip: 1, skipLast: 1 };
  expect(await read(text, form)).toMatchObject([{ reference: 'R', amountPaise: 10_000_00n }]);
  await expect(read(text, { ...form, skipLast: 0 })).rejects.toThrow('the status word is unknown');
});

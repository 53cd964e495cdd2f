import { describe, expect, it } from 'vitest';
import type { AppError } from '../../src/core/errors.js';
import { UNFINISHED_WAIT_MS, type Upload, Uploads } from '../../src/http/files/uploads.js';
import { AT_ONCE_MS, FILE_PAUSE_MS } from '../../src/http/limits/slow-clients.js';

const senders = (uploads: Uploads) => {
  const cuts: string[] = [];
  const begin = (name: string, nowMs = 0, addressKey = `address of ${name}`): Upload =>
    uploads.begin({ accountId: name, addressKey, abort: ({ code }) => cuts.push(`${name} ${code}`) }, nowMs);
  return { begin, cuts };
};
const codeOf = (work: () => unknown): string => {
  try {
    work();
    return 'done';
  } catch (error) {
    return (error as AppError).code;
  }
};
const flowing = (upload: Upload, bytes = 1, nowMs = 0): void => {
  upload.noteBytes(bytes, nowMs);
  upload.noteBytes(bytes, nowMs);
};

describe('uploads', () => {
  it('get a slot with the second chunk only, so that silent ones do not block others', () => {
    const { begin } = senders(new Uploads());
    for (let n = 0; n < 50; n++) begin(`silent ${n}`).noteBytes(1);
    const honest = begin('honest');
    expect(codeOf(() => flowing(honest))).toBe('done');
    expect(codeOf(() => honest.noteEnd(0))).toBe('done');
  });

  it('are limited to two at a time, and a file of one chunk needs a slot, too', () => {
    const { begin } = senders(new Uploads());
    const [first, second, third, fourth] = ['a', 'b', 'c', 'd'].map((name) => begin(name)) as Upload[];
    flowing(first!);
    second!.noteEnd(0);
    expect([codeOf(() => flowing(third!)), codeOf(() => fourth!.noteEnd(0))]).toEqual(['OVERLOADED', 'OVERLOADED']);
    second!.end(0, true);
    expect(codeOf(() => third!.noteEnd(0))).toBe('done');
  });

  it('are limited to one per account and one per address', () => {
    const { begin } = senders(new Uploads());
    const own = begin('a');
    expect([codeOf(() => begin('a', 0, 'elsewhere')), codeOf(() => begin('b', 0, 'address of a'))]).toEqual([
      'RATE_LIMITED',
      'RATE_LIMITED',
    ]);
    own.noteEnd(0);
    own.end(0, true);
    expect(codeOf(() => begin('b', 0, 'address of a'))).toBe('done');
  });

  it('lose their slot after two seconds if they are slow and others are waiting, and must then wait a minute', () => {
    const { begin, cuts } = senders(new Uploads());
    const [slow, fast, next, last] = [begin('slow'), begin('fast'), begin('next'), begin('last')];
    flowing(slow);
    flowing(fast, 20 * 1024);
    expect(codeOf(() => flowing(next, 1, AT_ONCE_MS - 1))).toBe('OVERLOADED');
    expect(codeOf(() => flowing(last, 1, AT_ONCE_MS + 1))).toBe('done');
    expect(cuts).toEqual(['slow REQUEST_TIMEOUT']);
    slow.end(AT_ONCE_MS + 1, false);
    expect(codeOf(() => begin('slow', AT_ONCE_MS + 2))).toBe('RATE_LIMITED');
  });

  it('keep their slot while they are stored', () => {
    const { begin, cuts } = senders(new Uploads());
    for (const name of ['a', 'b']) begin(name).noteEnd(0);
    expect(codeOf(() => flowing(begin('c'), 1, 60_000))).toBe('OVERLOADED');
    expect(cuts).toEqual([]);
  });

  it('are closed at one byte per ten seconds, and their senders must wait a minute', () => {
    const uploads = new Uploads();
    const { begin, cuts } = senders(uploads);
    const [slow, fast] = [begin('slow'), begin('fast')];
    flowing(slow);
    flowing(fast, 100 * 1024);
    uploads.sweep(FILE_PAUSE_MS - 1);
    expect(cuts).toEqual([]);
    uploads.sweep(FILE_PAUSE_MS + 1);
    uploads.sweep(FILE_PAUSE_MS + 2);
    expect(cuts).toEqual(['slow REQUEST_TIMEOUT']);
    slow.end(FILE_PAUSE_MS, true);
    const endsMs = FILE_PAUSE_MS + UNFINISHED_WAIT_MS;
    expect([codeOf(() => begin('slow', endsMs - 1)), codeOf(() => begin('slow', endsMs))]).toEqual([
      'RATE_LIMITED',
      'done',
    ]);
    const disconnected = begin('gone');
    flowing(disconnected);
    disconnected.end(0, false);
    expect(codeOf(() => begin('gone', 1))).toBe('RATE_LIMITED');
    uploads.sweep(FILE_PAUSE_MS + (200 * 1024) / 16 + 1);
    expect(cuts).toContain('fast REQUEST_TIMEOUT');
  });
});

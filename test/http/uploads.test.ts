import { describe, expect, it } from 'vitest';
import type { AppError } from '../../src/core/errors.js';
import { UNFINISHED_WAIT_MS, type Upload, Uploads } from '../../src/http/files/uploads.js';
import { FILE_PAUSE_MS } from '../../src/http/limits/slow-clients.js';

const senders = (uploads: Uploads) => {
  const cuts: string[] = [];
  const begin = (name: string, nowMs = 0, addressKey = `address of ${name}`): Upload =>
    uploads.begin({ accountId: name, addressKey, cut: ({ code }) => cuts.push(`${name} ${code}`) }, nowMs);
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
const flowing = (upload: Upload, bytes = 1): void => {
  upload.received(bytes);
  upload.received(bytes);
};

describe('uploads', () => {
  it('have no place before the second chunk, so that silent ones keep nobody out', () => {
    const { begin } = senders(new Uploads());
    for (let n = 0; n < 50; n++) begin(`silent ${n}`).received(1);
    const honest = begin('honest');
    expect(codeOf(() => flowing(honest))).toBe('done');
    expect(codeOf(() => honest.arrived())).toBe('done');
  });

  it('are two at once, and a file of one chunk needs a place too', () => {
    const { begin } = senders(new Uploads());
    const [first, second, third, fourth] = ['a', 'b', 'c', 'd'].map((name) => begin(name)) as Upload[];
    flowing(first!);
    second!.arrived();
    expect([codeOf(() => flowing(third!)), codeOf(() => fourth!.arrived())]).toEqual(['OVERLOADED', 'OVERLOADED']);
    second!.end(0, true);
    expect(codeOf(() => third!.arrived())).toBe('done');
  });

  it('are one of an account, and one of an address', () => {
    const { begin } = senders(new Uploads());
    const own = begin('a');
    expect([codeOf(() => begin('a', 0, 'elsewhere')), codeOf(() => begin('b', 0, 'address of a'))]).toEqual([
      'RATE_LIMITED',
      'RATE_LIMITED',
    ]);
    own.arrived();
    own.end(0, true);
    expect(codeOf(() => begin('b', 0, 'address of a'))).toBe('done');
  });

  it('of one byte in ten seconds end, and their senders wait a minute', () => {
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
    const gone = begin('gone');
    flowing(gone);
    gone.end(0, false);
    expect(codeOf(() => begin('gone', 1))).toBe('RATE_LIMITED');
    uploads.sweep(FILE_PAUSE_MS + (200 * 1024) / 16 + 1);
    expect(cuts).toContain('fast REQUEST_TIMEOUT');
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ErrorCode, errorCatalogue, wasRefunded } from '../../src/core/error-catalogue.js';
import { AppError, fieldError } from '../../src/core/errors.js';

const codes = Object.keys(errorCatalogue) as ErrorCode[];
const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(path.join('src', name), 'utf8'));

describe('the error catalogue', () => {
  it.each(codes)('%s is complete and used', (code) => {
    const { httpStatus, message, meaning, action, retryable, charged } = errorCatalogue[code];
    expect(httpStatus).toBeGreaterThanOrEqual(400);
    // Clients compare the text of this one.
    expect(message).toMatch(code === 'PERSISTED_QUERY_NOT_SUPPORTED' ? /^PersistedQueryNotSupported$/ : /^[A-Z].*\.$/);
    expect(meaning).toMatch(/^[A-Z].*\.$/);
    expect(action).toMatch(/^[A-Z].*\.$/);
    expect(typeof retryable).toBe('boolean');
    expect(['never', 'refunded', 'reversed', 'unknown']).toContain(charged);
    const uses = sources.filter((source) => source.includes(`'${code}'`)).length;
    expect(uses, `${code} is thrown nowhere`).toBeGreaterThan(0);
  });

  it('has only codes that clients can rely on', () => {
    for (const code of codes) expect(code).toMatch(/^[A-Z][A-Z_]+[A-Z]$/);
  });

  it('marks a recharge as failed only for a final status, or if it was rejected with 400 before there was an order', () => {
    const failed = codes.filter((code) => errorCatalogue[code].onRecharge === 'failed');
    expect(failed.toSorted()).toEqual(['INSUFFICIENT_BALANCE', 'PROVIDER_DECLINED', 'REVERSED', 'VALIDATION_FAILED']);
    // A failed lookup is refunded, and is not a recharge.
    for (const code of codes.filter((candidate) => wasRefunded(errorCatalogue[candidate].charged)))
      expect([...failed, 'PROVIDER_FAILED']).toContain(code);
  });

  it('marks as charged only errors that may have cost money permanently, not refunded ones', () => {
    expect(codes.filter((code) => new AppError(code).charged)).toEqual(['INTERNAL']);
    expect(new AppError('DEPENDENCY_DOWN', { charged: 'unknown' }).charged).toBe(true);
    // The message must agree.
    for (const code of codes)
      if (/nothing was charged/i.test(errorCatalogue[code].message))
        expect([code, new AppError(code).charged]).toEqual([code, false]);
  });

  it('masks unexpected errors and names the invalid field', () => {
    expect(new AppError('INTERNAL', { cause: new Error('select * from secret') }).message).toBe('Internal error.');
    const error = fieldError('input.amount', 'RANGE', 'Must be greater than 0.');
    expect([error.code, error.message]).toEqual(['VALIDATION_FAILED', 'amount: Must be greater than 0.']);
  });
});

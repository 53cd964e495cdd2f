import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type * as nodeKit from '../../clients/node/recharge-gateway.mjs';
import { errorCatalogue } from '../../src/core/error-catalogue.js';

const guide = readFileSync('docs/guide/orders.md', 'utf8');

/** Names of the code tables in each client library. */
export type CodeTable = keyof Pick<
  typeof nodeKit,
  'NOT_RECHARGED' | 'NOT_PAID' | 'REFUSED_FIRST' | 'IN_DOUBT' | 'RETRYABLE'
>;

/** Codes of streams, which do not occur in REST. */
const OF_GRAPHQL = ['STREAM_ENDED', 'STREAM_REPLACED'];
const codes = Object.entries(errorCatalogue).filter(([code]) => !OF_GRAPHQL.includes(code));
export const sorted = (texts: readonly string[]): string[] => [...texts].toSorted();

/** Compares the manually written tables of a client library with the behavior of the service. */
export function describeTables(library: string, table: (name: CodeTable) => readonly string[]): void {
  describe(`the client library for ${library}`, () => {
    it('treats exactly those codes as a failed recharge that the service does', () => {
      const failed = codes
        .filter(([, { onRecharge }]) => onRecharge === 'failed')
        .map(([code]) => `400 failed ${code}`);
      expect(sorted(table('NOT_RECHARGED'))).toEqual(sorted(failed));
      const [sample] = /NEXT_STEP = \[[^;]*\];/.exec(guide)!;
      const refunded = [...sample.matchAll(/'([^']+)' => 'refund'/g)].map(([, result]) => result!);
      expect(sorted(table('NOT_RECHARGED'))).toEqual(sorted(refunded));
    });

    it('treats the same codes as a failed bill payment, in the wording of bill-pay', () => {
      const failed = codes
        .filter(([, { onRecharge }]) => onRecharge === 'failed')
        .map(([code, { httpStatus }]) => `${httpStatus} error ${code}`);
      expect(sorted(table('NOT_PAID'))).toEqual(sorted(failed));
    });

    it('lists the retryable codes', () => {
      const retryable = codes.filter(([, entry]) => entry.retryable).map(([code]) => code);
      expect(sorted(table('RETRYABLE'))).toEqual(sorted([...retryable, 'NO_ANSWER']));
      const own = codes.filter(([, { httpStatus }]) => httpStatus >= 500 || httpStatus === 408 || httpStatus === 429);
      const retried = own.map(([code]) => code).filter((code) => code !== 'TOO_MANY_FAILED_EXCHANGES');
      expect(sorted([...table('REFUSED_FIRST'), ...table('IN_DOUBT')])).toEqual(sorted([...retried, 'NO_ANSWER']));
      for (const code of table('REFUSED_FIRST')) expect(errorCatalogue).toHaveProperty([code, 'charged'], 'never');
    });
  });
}

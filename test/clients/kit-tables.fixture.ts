import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type * as nodeKit from '../../clients/node/recharge-gateway.mjs';
import { errorCatalogue } from '../../src/core/error-catalogue.js';

const guide = readFileSync('docs/guide/orders.md', 'utf8');

/** Tables of codes that each kit has. */
export type KitTable = keyof Pick<
  typeof nodeKit,
  'NOT_RECHARGED' | 'NOT_PAID' | 'REFUSED_FIRST' | 'IN_DOUBT' | 'RETRYABLE'
>;

/** Of streams, which REST has none of. */
const OF_GRAPHQL = ['STREAM_ENDED', 'STREAM_REPLACED'];
const codes = Object.entries(errorCatalogue).filter(([code]) => !OF_GRAPHQL.includes(code));
export const sorted = (texts: readonly string[]): string[] => [...texts].toSorted();

/** Compares the tables of a kit, which are written by hand, with what the service does. */
export function describeTables(kit: string, table: (name: KitTable) => readonly string[]): void {
  describe(`the kit for ${kit}`, () => {
    it('calls a recharge failed exactly where the service does', () => {
      const failed = codes
        .filter(([, { onRecharge }]) => onRecharge === 'failed')
        .map(([code]) => `400 failed ${code}`);
      expect(sorted(table('NOT_RECHARGED'))).toEqual(sorted(failed));
      const [sample] = /NEXT_STEP = \[[^;]*\];/.exec(guide)!;
      const givenBack = [...sample.matchAll(/'([^']+)' => 'refund'/g)].map(([, said]) => said!);
      expect(sorted(table('NOT_RECHARGED'))).toEqual(sorted(givenBack));
    });

    it('calls a bill payment failed for the same codes, as bill-pay words them', () => {
      const failed = codes
        .filter(([, { onRecharge }]) => onRecharge === 'failed')
        .map(([code, { httpStatus }]) => `${httpStatus} error ${code}`);
      expect(sorted(table('NOT_PAID'))).toEqual(sorted(failed));
    });

    it('knows what may be repeated', () => {
      const retryable = codes.filter(([, entry]) => entry.retryable).map(([code]) => code);
      expect(sorted(table('RETRYABLE'))).toEqual(sorted([...retryable, 'NO_ANSWER']));
      const own = codes.filter(([, { httpStatus }]) => httpStatus >= 500 || httpStatus === 408 || httpStatus === 429);
      const repeated = own.map(([code]) => code).filter((code) => code !== 'TOO_MANY_FAILED_EXCHANGES');
      expect(sorted([...table('REFUSED_FIRST'), ...table('IN_DOUBT')])).toEqual(sorted([...repeated, 'NO_ANSWER']));
      for (const code of table('REFUSED_FIRST')) expect(errorCatalogue).toHaveProperty([code, 'charged'], 'never');
    });
  });
}

import type { TwoPeople } from './generated/documents.js';
import { graphql } from './graphql.js';
import { useRead } from './read.js';

const TWO_PEOPLE = graphql(`
  query TwoPeople {
    defaults {
      feeApprovalAbove
      twoPeople
    }
  }
`);

const useDefaults = (pause: boolean) =>
  useRead({ query: TWO_PEOPLE, pause, requestPolicy: 'cache-first' })[0].data?.defaults;

/** Whether this takes a second person here, which is said before the click. Only staff may ask; false while nobody does. */
export const useTakesTwo = (what: TwoPeople, pause = false): boolean =>
  useDefaults(pause)?.twoPeople.includes(what) === true;

/** The fee above which a second person is needed, in rupees; undefined where one person sets any, or nobody asks. */
export function useFeeLimit(pause: boolean): number | undefined {
  const defaults = useDefaults(pause);
  return defaults?.twoPeople.includes('FEES') ? defaults.feeApprovalAbove : undefined;
}

/** Whether a fee will wait for a second person. */
export function useNeedsTwo(fee: number | undefined): boolean {
  const limit = useFeeLimit(fee === undefined);
  return fee !== undefined && limit !== undefined && fee > limit;
}

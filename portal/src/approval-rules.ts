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

/**
 * Whether an action requires a second approver. False for users other than staff; the query is then paused because they cannot
 * use it.
 */
export const useRequiresApproval = (operation: TwoPeople, pause = false): boolean =>
  useDefaults(pause)?.twoPeople.includes(operation) === true;

/** Fee in rupees above which a second approver is required. Undefined if there is no limit or the query is paused. */
export function useFeeLimit(pause: boolean): number | undefined {
  const defaults = useDefaults(pause);
  return defaults?.twoPeople.includes('FEES') ? defaults.feeApprovalAbove : undefined;
}

/** Whether a fee requires a second approver. */
export function useFeeRequiresApproval(fee: number | undefined): boolean {
  const limit = useFeeLimit(fee === undefined);
  return fee !== undefined && limit !== undefined && fee > limit;
}

/**
 * Tasks of a process in addition to requests:
 *
 * - `sweeper`: checks the status of orders whose outcome is unknown.
 * - `webhooks`: delivers webhooks.
 * - `email`: sends emails.
 * - `housekeeping`: deletes expired data, creates the partitions of future months, rewrites finished months, and checks
 *   the ledger once a week.
 * - `anchors`: records the state of the audit log.
 */
export const workers = ['sweeper', 'webhooks', 'email', 'housekeeping', 'anchors'] as const;
export type Worker = (typeof workers)[number];

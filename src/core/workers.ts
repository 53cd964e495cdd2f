/**
 * What a process does in addition to requests:
 * sweeper       asks providers about orders whose outcome is unknown
 * webhooks      delivers webhooks
 * email         sends emails
 * housekeeping  deletes what has ended, makes the partitions of the months to come, rewrites finished months, checks the books once a week
 * anchors       writes down how far the audit log has come
 */
export const workers = ['sweeper', 'webhooks', 'email', 'housekeeping', 'anchors'] as const;
export type Worker = (typeof workers)[number];

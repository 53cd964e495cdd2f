import type { ErrorCode } from '../core/errors.js';

/** Error codes of a free provider lookup. */
export const FREE_CALL: readonly ErrorCode[] = ['PROVIDER_FAILED', 'PROVIDER_UNAVAILABLE'];

/** Error codes of a call that sends personal data to the lead provider. */
export const LEAD_CALL: readonly ErrorCode[] = [...FREE_CALL, 'LEAD_REFUSED'];

/** Error codes of a call with a fee. */
export const CHARGED_CALL: readonly ErrorCode[] = [...FREE_CALL, 'INSUFFICIENT_BALANCE'];

/** Error codes of a call that places an order, including those that `placementResponse` throws. */
export const ORDER_CALL: readonly ErrorCode[] = [
  'INSUFFICIENT_BALANCE',
  'PROVIDER_UNAVAILABLE',
  'PROVIDER_DECLINED',
  'REVERSED',
];

/** Error codes of a call that references a record. */
export const RECORD_CALL: readonly ErrorCode[] = ['RECORD_NOT_FOUND'];

/** Error codes of a call that references an order. */
export const ORDER_LOOKUP: readonly ErrorCode[] = [...RECORD_CALL, 'ORDER_ARCHIVED'];

/** Error codes of a call that changes a record, which may be in the wrong state. */
export const CHANGE_CALL: readonly ErrorCode[] = [...RECORD_CALL, 'CONFLICT'];

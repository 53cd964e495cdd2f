import type { ErrorCode } from '../core/errors.js';

/** The failures of a call that asks a provider for nothing but an answer. */
export const FREE_CALL: readonly ErrorCode[] = ['PROVIDER_FAILED', 'PROVIDER_UNAVAILABLE'];

/** Of one that hands a person's data to the lead provider. */
export const LEAD_CALL: readonly ErrorCode[] = [...FREE_CALL, 'LEAD_REFUSED'];

/** Of one that has a fee. */
export const CHARGED_CALL: readonly ErrorCode[] = [...FREE_CALL, 'INSUFFICIENT_BALANCE'];

/** Of one that places an order: what `placementAnswer` says is among them. */
export const ORDER_CALL: readonly ErrorCode[] = [
  'INSUFFICIENT_BALANCE',
  'PROVIDER_UNAVAILABLE',
  'PROVIDER_DECLINED',
  'REVERSED',
];

/** Of one that names a record. */
export const RECORD_CALL: readonly ErrorCode[] = ['RECORD_NOT_FOUND'];

/** Of one that names an order. */
export const ORDER_QUESTION: readonly ErrorCode[] = [...RECORD_CALL, 'ORDER_ARCHIVED'];

/** Of one that changes a record, which may not fit what it is. */
export const CHANGE_CALL: readonly ErrorCode[] = [...RECORD_CALL, 'CONFLICT'];

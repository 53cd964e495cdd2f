/**
 * Reason why a payment failed, according to the documented error codes of its provider. Texts are never parsed, so a failure
 * without such a code is UNSPECIFIED. Some reasons are reserved until a provider has a code for them.
 */
export const declineReasons = {
  INVALID_NUMBER: { retryable: false, message: 'The number is not known to the operator.' },
  NUMBER_NOT_ON_OPERATOR: { retryable: false, message: 'The number belongs to another operator.' },
  AMOUNT_NOT_OFFERED: { retryable: false, message: 'The operator does not offer a recharge of this amount.' },
  OPERATOR_UNAVAILABLE: { retryable: true, message: 'The operator cannot be reached at the moment.' },
  DUPLICATE_AT_OPERATOR: { retryable: false, message: 'The operator recently processed an identical payment.' },
  LIMIT_REACHED: {
    retryable: false,
    message: 'The operator does not currently accept further payments for this number.',
  },
  PROVIDER_REFUSED: { retryable: true, message: 'The provider did not forward the payment to the operator.' },
  NEVER_SENT: { retryable: true, message: 'The payment did not reach the provider.' },
  REVERSED_BY_PROVIDER: { retryable: false, message: 'The provider reversed the payment after it had succeeded.' },
  REVERSED_BY_SUPPORT: {
    retryable: false,
    message: 'Support reversed the payment after it had succeeded. The operator may have completed it.',
  },
  UNSPECIFIED: { retryable: false, message: 'The provider declined the payment without giving a reason.' },
} as const satisfies Readonly<Record<string, { retryable: boolean; message: string }>>;

export type DeclineReason = keyof typeof declineReasons;

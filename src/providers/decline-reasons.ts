/**
 * Why a payment was not performed, as far as a code that its provider documents says it. Texts are never parsed: without such a code
 * it is UNSPECIFIED. Some reasons wait for a provider that has a code for them.
 */
export const declineReasons = {
  INVALID_NUMBER: { retryable: false, message: 'The number is not one that the operator knows.' },
  NUMBER_NOT_ON_OPERATOR: { retryable: false, message: 'The number belongs to another operator.' },
  AMOUNT_NOT_OFFERED: { retryable: false, message: 'The operator does not offer a recharge of this amount.' },
  OPERATOR_UNAVAILABLE: { retryable: true, message: 'The operator cannot be reached at the moment.' },
  DUPLICATE_AT_OPERATOR: { retryable: false, message: 'The operator has just performed the same payment.' },
  LIMIT_REACHED: { retryable: false, message: 'The operator takes no more payments for this number for now.' },
  PROVIDER_REFUSED: { retryable: true, message: 'The provider refused to pass the payment on.' },
  NEVER_SENT: { retryable: true, message: 'The payment did not reach the provider.' },
  REVERSED_BY_PROVIDER: { retryable: false, message: 'The provider reversed the payment after it had succeeded.' },
  REVERSED_BY_SUPPORT: {
    retryable: false,
    message: 'Support reversed the payment after it had succeeded. The operator may have performed it.',
  },
  UNSPECIFIED: { retryable: false, message: 'The provider declined the payment and did not say why.' },
} as const satisfies Readonly<Record<string, { retryable: boolean; message: string }>>;

export type DeclineReason = keyof typeof declineReasons;

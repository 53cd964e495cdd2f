/** A staff operation that docs/administering.md shows and a test runs. */
export interface StaffExample {
  /** Purpose of the operation, in the imperative. */
  purpose: string;
  /** GraphQL with shell variables such as `$DEVELOPER` for values of an installation. */
  operation: string;
}

/** `ApprovalRequestCreated` means that a second person must approve. */
const OUTCOME = 'outcome { __typename }';

/** Examples by section of the page. */
export const staffExamples: Readonly<Record<string, readonly StaffExample[]>> = {
  Accounts: [
    {
      purpose: 'Approve an account, enable services and set fees in rupees.',
      operation: `approveDeveloper(input: { developerId: "$APPLICANT",
  services: [{ service: OPERATOR_FETCH, fee: 0.10 }] }) { developer { onboardingStatus } }`,
    },
    {
      purpose: 'Request changes to a KYC submission. `rejectDeveloper` has the same input.',
      operation: `requestKycChanges(input: { developerId: "$APPLICANT", reason: "PAN card not readable" }) {
  developer { onboardingStatus } }`,
    },
    {
      purpose: 'Enable or disable a service. Omit `fee` to keep the fee. `setServiceAccessMany` changes many accounts.',
      operation: `setServiceAccess(input: { developerId: "$DEVELOPER", service: DTH_INFO, enabled: true, fee: 0.10 }) {
  developer { services { service enabled fee } } }`,
    },
    {
      purpose: 'Grant Production access.',
      operation: 'unlockProduction(input: { developerId: "$DEVELOPER" }) { developer { productionUnlocked } }',
    },
    {
      purpose: 'Remove Production access.',
      operation: `lockProduction(input: { developerId: "$DEVELOPER", reason: "Contract ended" }) {
  developer { productionUnlocked } }`,
    },
    {
      purpose: 'Set a rate limit. `resetRateLimit` restores the default.',
      operation:
        'setRateLimit(input: { developerId: "$DEVELOPER", perMinute: 120 }) { developer { rateLimitPerMinute } }',
    },
    {
      purpose: 'Suspend an account. This takes effect on the next request. `reinstateDeveloper` has the same input.',
      operation: `suspendDeveloper(input: { developerId: "$DEVELOPER", reason: "API key published" }) {
  developer { suspendedAt } }`,
    },
    {
      purpose: 'Suspend one API key and its tokens. `reinstateCredential` reinstates them.',
      operation: `suspendCredential(input: { clientId: "$CLIENT_ID", reason: "API key published" }) {
  credential { clientId } }`,
    },
  ],
  Money: [
    {
      purpose: 'Credit a bank transfer. Without `utr`, a `reason` and approval are required.',
      operation: `creditWallet(input: { developerId: "$DEVELOPER", environment: PRODUCTION, amount: 500,
  reference: "Transfer of 24 November", utr: "HDFCR52026112401" }) { ${OUTCOME} }`,
    },
    {
      purpose: 'Debit a wallet, for example after a mistyped credit or for a lost order.',
      operation: `debitWallet(input: { developerId: "$DEVELOPER", environment: PRODUCTION, amount: 100,
  reference: "Correction 17", reason: "Mistyped credit" }) { ${OUTCOME} }`,
    },
    {
      purpose: 'Approve an approval request of another person.',
      operation: `approveApprovalRequest(input: { approvalRequestId: "$APPROVAL_REQUEST" }) { ${OUTCOME} }`,
    },
    {
      purpose: 'Reject an approval request, or withdraw your own.',
      operation: `rejectApprovalRequest(input: { approvalRequestId: "$APPROVAL_REQUEST", reason: "Not in the statement" }) {
  approvalRequest { state } }`,
    },
  ],
  Orders: [
    {
      purpose: 'Check the status of an order with its provider. `checkOrderStatuses` accepts up to 200 `orderIds`.',
      operation: 'checkOrderStatus(input: { orderId: "$SUCCESSFUL_ORDER" }) { order { status } }',
    },
    {
      purpose: 'Resolve an order in manual review: `SUCCESS` settles the order, and `FAILED` refunds it.',
      operation: `resolveOrder(input: { orderId: "$REVIEW_ORDER", outcome: SUCCESS, reason: "Statement, line 17" }) {
  ${OUTCOME} }`,
    },
    {
      purpose: 'Resolve up to 200 orders with one outcome.',
      operation: `resolveOrders(input: { orderIds: ["$REVIEW_ORDER"], outcome: FAILED, reason: "Not in the statement" }) {
  results { orderId result code } approvalRequest { id } }`,
    },
    {
      purpose: 'Reverse a successful order that the provider did not process.',
      operation: `reverseOrder(input: { orderId: "$SUCCESSFUL_ORDER", reason: "Not in the statement" }) {
  ${OUTCOME} }`,
    },
    {
      purpose: 'Reverse the refund of an order that the provider processed.',
      operation: `reverseRefund(input: { orderId: "$FAILED_ORDER", reason: "Statement, line 18" }) { ${OUTCOME} }`,
    },
    {
      purpose: 'Pause new orders in an environment.',
      operation: `pauseOrders(input: { environment: UAT, notice: "Maintenance until 06:00 IST", reason: "Database" }) {
  environment { orderPause { notice since } } }`,
    },
    {
      purpose: 'Resume orders.',
      operation: `resumeOrders(input: { environment: UAT, reason: "Maintenance ended" }) { approvalRequest { id } }`,
    },
    {
      purpose: 'Resolve a difference between a statement and our orders.',
      operation: `resolveStatementDifference(input: { differenceId: "$DIFFERENCE", reason: "Credit note 4711" }) {
  difference { id resolvedAt } }`,
    },
  ],
  Providers: [
    {
      purpose:
        'Disable a provider. This takes effect within two seconds. To enable the provider, set `available: true`.',
      operation: `setProviderAvailability(input: { provider: SANDBOX, environment: UAT, available: false,
  reason: "Wrong statuses" }) { health { available } approvalRequest { id } }`,
    },
    {
      purpose: 'Assign another recharge provider.',
      operation: `assignRechargeProvider(input: { developerId: "$DEVELOPER", provider: MOKSHIQ }) {
  developer { rechargeProvider } approvalRequest { id } }`,
    },
    {
      purpose: 'Create a white label.',
      operation: 'createWhiteLabel(input: { name: "$NAME", rechargeProvider: MOKSHIQ }) { whiteLabel { id } }',
    },
    {
      purpose: 'Move an account to a white label and its provider. `removeFromWhiteLabel` reverts the move.',
      operation: `moveToWhiteLabel(input: { developerId: "$DEVELOPER", whiteLabelId: "$WHITE_LABEL" }) {
  approvalRequest { id } }`,
    },
    {
      purpose: 'Set the customer for leads without a customer ID.',
      operation: 'setDefaultLeadCustomer(input: { environment: UAT, customerId: "cus_17" }) { customerId }',
    },
  ],
  Staff: [
    {
      purpose: 'Invite a staff user.',
      operation: `inviteUser(input: { email: "$EMAIL", name: "Asha Verma", role: FINANCE }) { user { invitedUntil } }`,
    },
    {
      purpose: 'Change a role. This takes effect on the next request.',
      operation: 'setUserRole(input: { userId: "$USER", role: REVIEWER }) { approvalRequest { id } }',
    },
    {
      purpose: 'Suspend a user. `reinstateUser` reinstates the user.',
      operation: `suspendUser(input: { userId: "$USER", reason: "Lost laptop" }) { approvalRequest { id } }`,
    },
    {
      purpose: 'Remove lost second factors, after you have verified the identity of the user.',
      operation: `resetSecondFactors(input: { userId: "$USER", reason: "Lost phone" }) { approvalRequest { id } }`,
    },
    {
      purpose: 'Remove a user permanently.',
      operation: 'removeUser(input: { userId: "$USER", reason: "Left" }) { approvalRequest { id } }',
    },
  ],
  'Webhooks and emails': [
    {
      purpose: 'Redeliver a webhook. `redeliverWebhooks` redelivers a time range.',
      operation: 'redeliverWebhook(input: { deliveryId: "$DELIVERY" }) { delivery { state } }',
    },
    {
      purpose: 'Send a failed email again.',
      operation: 'resendEmail(input: { emailId: "$FAILED_EMAIL" }) { emailId }',
    },
  ],
};

/** Returns the name of the mutation in an example. */
export const mutationOf = ({ operation }: StaffExample): string => /^\w+/.exec(operation)![0];

/** What tests ask of a decision about money, whichever outcome it has. */
export const OUTCOME = `{ outcome { __typename
  ... on WalletUpdated { replayed wallet { balance } entry { kind amount } order { id status } }
  ... on OrderUnchanged { replayed order { id status } }
  ... on ApprovalRequestCreated { replayed approvalRequest { id order { id status } } }
  ... on ApprovalRequestApproved { approvalRequest { id order { id status } } results { orderId result code } } } }`;

/** The order that it was about, or that of the approval request. */
export const orderOf = ({ outcome }: any) => outcome.order ?? outcome.approvalRequest.order;

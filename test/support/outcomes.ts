/** Selection of the outcome of a money mutation, for every type of outcome. */
export const OUTCOME = `{ outcome { __typename
  ... on WalletUpdated { replayed wallet { balance } entry { kind amount } order { id status } }
  ... on OrderUnchanged { replayed order { id status } }
  ... on ApprovalRequestCreated { replayed approvalRequest { id order { id status } } }
  ... on ApprovalRequestApproved { approvalRequest { id order { id status } } results { orderId result code } } } }`;

/** The order of an outcome, or of its approval request. */
export const orderOf = ({ outcome }: any) => outcome.order ?? outcome.approvalRequest.order;

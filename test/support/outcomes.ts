/** What tests ask of a decision about money, whichever outcome it has. */
export const OUTCOME = `{ outcome { __typename
  ... on WalletMoved { replayed wallet { balance } entry { kind amount } order { id status } }
  ... on NothingChanged { replayed order { id status } }
  ... on ProposalMade { replayed proposal { id order { id status } } }
  ... on ProposalCarriedOut { proposal { id order { id status } } results { orderId result code } } } }`;

/** The order that it was about, or that of the proposal. */
export const orderOf = ({ outcome }: any) => outcome.order ?? outcome.proposal.order;

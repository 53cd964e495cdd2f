/** Until when the process that placed an order may send it. */
export interface SendPermit {
  /** Whether its lease is over; asked right before the first byte is written. */
  isOver(): boolean;
  /**
   * Of a provider that cannot be asked: whether the order is still as its claim left it. Asked once, when the request has its place
   * and is about to be handed to its connection. Errors: those of the database.
   */
  isStillClaimed?(): Promise<boolean>;
}

/** Plain-text email. */
export interface Mail {
  /** Our ID, the same for all attempts. It becomes the Message-ID, by which mail servers detect duplicates. */
  id: string;
  to: string;
  subject: string;
  text: string;
  /** ISO 8601: expiry time of the link in the email; omitted if it has none. */
  linkExpiresAt?: string;
}

/** Hands emails over to a mail server. Later bounces are not reported. */
export interface Mailer {
  /** Rejects if the email was not accepted, or if that is unknown; then it is retried. */
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
}

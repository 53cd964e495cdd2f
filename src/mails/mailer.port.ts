/** Plain-text email. */
export interface EmailMessage {
  /** Our ID, which is the same for all attempts. It becomes the Message-ID, by which mail servers detect duplicates. */
  id: string;
  to: string;
  subject: string;
  text: string;
  /** Expiry time of the link in the email (ISO 8601). Omitted if the email has no link. */
  linkExpiresAt?: string;
}

/** Hands emails over to a mail server. Later bounces are not reported. */
export interface Mailer {
  /** Sends an email. Rejects if the email was not accepted or if the outcome is unknown; it is then retried. */
  send(email: EmailMessage): Promise<void>;
  close(): Promise<void>;
}

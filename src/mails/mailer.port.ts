/** An email in plain text. */
export interface Mail {
  /** Ours, stable over repeated attempts: it becomes the Message-ID, by which a mail server sees that it got an email twice. */
  id: string;
  to: string;
  subject: string;
  text: string;
  /** ISO 8601: when the link in it ends; left out where it has none that does. */
  linkExpiresAt?: string;
}

/** Hands emails over. An email that was handed over may still bounce; nobody here learns of that. */
export interface Mailer {
  /** Rejects when the email was not taken, or when that is not known: it is tried again then. */
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
}

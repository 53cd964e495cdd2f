import { declineReasons } from '../providers/decline-reasons.js';
import { escape } from './html.js';

/** The closed list of reasons: of REST beside the code, of GraphQL in `decline`. */
export function reasonSection(): string {
  const rows = Object.entries(declineReasons).map(
    ([reason, { message, retryable }]) =>
      `<tr id="${reason}"><td><code>${reason}</code></td><td>${escape(message)}</td><td>${retryable ? 'yes' : 'no'}</td></tr>`,
  );
  return `<section id="reasons"><h2>Reasons of a decline</h2>
    <p>A recharge or bill payment that the provider refused or took back has a <code>reason</code>: over REST beside <code>code</code>, over GraphQL in <code>decline</code>.</p>
    <table><thead><tr><th>Reason</th><th>Meaning</th><th>A new order may succeed later</th></tr></thead><tbody>${rows.join('')}</tbody></table></section>`;
}

import { type CatalogueEntry, errorCatalogue, keepsMoney, wasRefunded } from '../../core/error-catalogue.js';
import { declineReasons } from '../../providers/decline-reasons.js';
import { leadRejections } from '../../providers/lead-rejections.js';
import { escape, inlineCode } from '../pages/html.js';

/** Returns the table text: whether the caller was charged and refunded. */
const moneyOf = (charged: CatalogueEntry['charged']): { charged: string; refunded: string } => ({
  charged: keepsMoney(charged) ? 'unknown' : 'no',
  refunded: wasRefunded(charged) ? 'yes' : 'no',
});

function facts(entry: CatalogueEntry): [term: string, fact: string][] {
  const { charged, refunded } = moneyOf(entry.charged);
  return [
    ['HTTP status', String(entry.httpStatus)],
    ['Status on recharge', entry.onRecharge],
    ['The same request may succeed later', entry.retryable ? 'yes' : 'no'],
    ['Charged', charged],
    ['Refunded', refunded],
  ];
}

const entrySection = ([name, entry]: [string, CatalogueEntry]): string =>
  `<section class="error" id="${name}"><h3><a href="#${name}">${name}</a></h3>` +
  `<dl>${facts(entry)
    .map(([term, fact]) => `<div><dt>${term}</dt><dd>${escape(fact)}</dd></div>`)
    .join('')}</dl>` +
  `<p>${inlineCode(entry.meaning)}</p><p><strong>What to do:</strong> ${inlineCode(entry.action)}</p>` +
  `<p>Default <code>message</code>: <q>${inlineCode(entry.message)}</q></p></section>`;

const entries = Object.entries<CatalogueEntry>(errorCatalogue);

/** Returns one section per code of the catalog, sorted by HTTP status. The anchor is the code. */
export const errorSections = (): string =>
  entries
    .toSorted(([, one], [, other]) => one.httpStatus - other.httpStatus)
    .map(entrySection)
    .join('\n');

/** Returns the decline reasons of payments, with one row per reason. The anchor is the reason. */
export const reasonTable = (): string =>
  `<div class="wide" tabindex="0"><table><thead><tr><th>Reason</th><th>Meaning</th><th>A new order may succeed later</th></tr></thead><tbody>${Object.entries(
    declineReasons,
  )
    .map(
      ([reason, { message, retryable }]) =>
        `<tr id="${reason}"><td><code>${reason}</code></td><td>${escape(message)}</td><td>${retryable ? 'yes' : 'no'}</td></tr>`,
    )
    .join('')}</tbody></table></div>`;

/** Returns the reasons for rejected leads. Anchors include the error code, because both lists have a reason UNSPECIFIED. */
export const leadRefusalTable = (): string =>
  `<div class="wide" tabindex="0"><table><thead><tr><th>Reason</th><th>Meaning</th></tr></thead><tbody>${Object.entries(
    leadRejections,
  )
    .map(
      ([reason, meaning]) => `<tr id="LEAD_REFUSED-${reason}"><td><code>${reason}</code></td><td>${meaning}</td></tr>`,
    )
    .join('')}</tbody></table></div>`;

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escape = (text = ''): string => text.replace(/[&<>"']/g, (character) => escapes[character]!);

/** The one style sheet of the pages that the service makes. */
export const STYLE_SHEET = { path: '/pages.css', file: 'portal/pages/pages.css' };

/** A page that loads nothing but its style sheet. The title is plain text; head and body are HTML. */
export const htmlPage = (title: string, body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escape(title)}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="${STYLE_SHEET.path}">${head}</head><body>${body}</body></html>`;

/** For such a page: from this host alone, and nothing is run or framed. */
export const HTML = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

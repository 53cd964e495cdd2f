const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escape = (text = ''): string => text.replace(/[&<>"']/g, (character) => escapes[character]!);

/** Converts plain text to HTML, with text in backticks as code. */
export const inlineCode = (text: string): string => escape(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

/** Style sheet of all pages that the service generates. */
export const STYLE_SHEET = { path: '/pages.css', file: 'portal/pages/pages.css' };

/** Returns an HTML page that loads only its style sheet. The title is plain text; head and body are HTML. */
export const htmlPage = (title: string, body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escape(title)}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="${STYLE_SHEET.path}">${head}</head><body>${body}</body></html>`;

/** Headers of generated pages: content only from this host, no scripts and no frames. */
export const HTML = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

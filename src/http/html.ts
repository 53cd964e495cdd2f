const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escape = (text = ''): string => text.replace(/[&<>"']/g, (character) => escapes[character]!);

const STYLE = `
  :root { color-scheme: light dark; --line: #8884; --soft: #8881; --accent: #0a6; }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 0 auto; padding: 1.5rem; }
  h1 { margin-bottom: .25rem } h2 { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1.5rem }
  code, pre { font: 14px/1.45 ui-monospace, monospace } pre { background: var(--soft); padding: .75rem; overflow-x: auto; border-radius: 6px }
  table { border-collapse: collapse; width: 100%; margin: .5rem 0 1rem } th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top }
  .notice { border-left: 4px solid #d80; background: var(--soft); padding: .75rem 1rem; margin: 1.5rem 0 } .method { color: var(--accent); font-weight: 700 }
  nav ul { columns: 2; padding-left: 1.2rem } a { color: inherit }
  @media (max-width: 40rem) { nav ul { columns: 1 } table { display: block; overflow-x: auto } }`;

/** A page that loads nothing from anywhere. The title is plain text, the body HTML. */
export const htmlPage = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escape(title)}</title><style>${STYLE}</style></head><body>${body}</body></html>`;

/** For such a page: nothing is loaded, framed or run. */
export const HTML = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
};

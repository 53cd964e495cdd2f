import { Marked, Renderer, type Tokens } from 'marked';
import { escape } from '../html.js';

/** A chapter of a page: what its anchor is, and what it is called. */
export interface Chapter {
  id: string;
  title: string;
}

export interface RenderedPage {
  title: string;
  /** Headings of the second level, in their order. */
  chapters: readonly Chapter[];
  html: string;
}

/** Where links of a document lead on the site. */
export interface Links {
  /** Of a link to another document, such as `webhooks.md#retries`. */
  documentAt: (target: string) => string;
  /** Of a call in code marks, such as `GET /api/v1/auth/me`; undefined when it is none. */
  callAt: (code: string) => string | undefined;
}

/** As GitHub makes anchors of headings, so that a link works in the repository and on the site. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

/** Scrolls by itself where it is too wide, also for who has no mouse. */
const wide = (html: string): string => `<div class="wide" tabindex="0">${html}</div>`;

class PageRenderer extends Renderer {
  readonly chapters: Chapter[] = [];
  title = '';
  readonly #links: Links;

  constructor(links: Links) {
    super();
    this.#links = links;
  }

  override heading({ tokens, depth, text }: Tokens.Heading): string {
    const title = text.replaceAll('`', '');
    const id = anchorOf(title);
    const words = this.parser.parseInline(tokens);
    if (depth === 1) this.title = title;
    if (depth === 2) this.chapters.push({ id, title });
    return depth === 1 ? `<h1>${words}</h1>` : `<h${depth} id="${id}"><a href="#${id}">${words}</a></h${depth}>`;
  }

  override table(token: Tokens.Table): string {
    return wide(super.table(token));
  }

  override code({ text, lang = '' }: Tokens.Code): string {
    return `<pre tabindex="0"><code class="language-${escape(lang)}">${escape(text)}\n</code></pre>`;
  }

  override codespan(token: Tokens.Codespan): string {
    const place = this.#links.callAt(token.text);
    const code = super.codespan(token);
    return place === undefined ? code : `<a href="${escape(place)}">${code}</a>`;
  }

  override link(token: Tokens.Link): string {
    return super.link({ ...token, href: this.#links.documentAt(token.href) });
  }

  override image(token: Tokens.Image): string {
    return super.image({ ...token, href: this.#links.documentAt(token.href) });
  }
}

/** GitHub's markdown as the body of a page. It is our own text: HTML in it stays HTML. */
export function renderMarkdown(markdown: string, links: Links): RenderedPage {
  const renderer = new PageRenderer(links);
  const html = new Marked().parse(markdown, { renderer, async: false });
  return { title: renderer.title, chapters: renderer.chapters, html };
}

/** Replaces each `{{name}}`. Errors: a name that there is not. */
export const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{\{([\w-]+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`Nothing is called {{${name}}}.`);
    return value;
  });

import { Marked, Renderer, type Token, type Tokens } from 'marked';
import { escape } from '../pages/html.js';
import { highlighted } from './highlight.js';

/** Chapter of a page: anchor and title. */
export interface Chapter {
  id: string;
  title: string;
}

export interface RenderedPage {
  title: string;
  /** Second-level headings in document order. */
  chapters: readonly Chapter[];
  html: string;
}

/** Resolves links of a document on the site. */
export interface Links {
  /** URL of another document, such as `webhooks.md#retries`; undefined if the site does not have the document. */
  documentAt: (target: string) => string | undefined;
  /**
   * URL of a call, page or schema member in inline code, such as `GET /api/v1/auth/me`; undefined if the code is none of these.
   */
  nameAt: (code: string) => string | undefined;
}

/** Creates the same anchors for headings as GitHub, so that links work in the repository and on the site. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

/** Makes wide content scrollable. `tabindex` allows scrolling with the keyboard. */
const wide = (html: string): string => `<div class="wide" tabindex="0">${html}</div>`;

class PageRenderer extends Renderer {
  readonly chapters: Chapter[] = [];
  title = '';
  readonly #links: Links;
  /** Links cannot be nested. */
  #inLink = false;

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
    return `<pre><code class="language-${escape(lang)}">${highlighted(text, lang)}\n</code></pre>`;
  }

  /** Samples of the same call in several languages. Without the script, all are visible; with the script, one at a time. */
  samples(samples: readonly Sample[]): string {
    const shown = samples.map(
      ({ name, code }) =>
        `<figure data-language="${escape(name)}"><figcaption>${escape(name)}</figcaption>${this.code(code)}</figure>`,
    );
    return `<div class="samples">${shown.join('')}</div>\n`;
  }

  override codespan(token: Tokens.Codespan): string {
    const place = this.#inLink ? undefined : this.#links.nameAt(token.text);
    const code = super.codespan(token);
    return place === undefined ? code : `<a href="${escape(place)}">${code}</a>`;
  }

  override link(token: Tokens.Link): string {
    const href = this.#links.documentAt(token.href);
    if (href === undefined) return this.parser.parseInline(token.tokens);
    this.#inLink = true;
    const html = super.link({ ...token, href });
    this.#inLink = false;
    return html;
  }

  override image(token: Tokens.Image): string {
    return super.image({ ...token, href: this.#links.documentAt(token.href) ?? token.href });
  }
}

/** Code block, preceded by a line with the name of its language. */
interface Sample {
  name: string;
  code: Tokens.Code;
}

const LANGUAGE_LINE = /^(?:In|With) (.+):$/;

/** Samples at the start of a token list, and the number of their tokens. */
function samplesAt(tokens: readonly Token[], start: number): { samples: Sample[]; length: number } {
  const samples: Sample[] = [];
  let length = 0;
  for (let at = start; ; ) {
    const name =
      tokens[at]?.type === 'paragraph' ? LANGUAGE_LINE.exec((tokens[at] as Tokens.Paragraph).text)?.[1] : undefined;
    const code = at + (tokens[at + 1]?.type === 'space' ? 2 : 1);
    if (name === undefined || tokens[code]?.type !== 'code') return { samples, length };
    samples.push({ name, code: tokens[code] as Tokens.Code });
    length = code + 1 - start;
    at = code + (tokens[code + 1]?.type === 'space' ? 2 : 1);
  }
}

/** Combines consecutive samples in different languages into one token. */
function withSamples(tokens: readonly Token[]): Token[] {
  const joined: Token[] = [];
  for (let at = 0; at < tokens.length; ) {
    const { samples, length } = samplesAt(tokens, at);
    if (samples.length > 1) joined.push({ type: 'samples', raw: '', samples });
    else joined.push(tokens[at]!);
    at += samples.length > 1 ? length : 1;
  }
  return joined;
}

/** Renders GitHub Flavored Markdown as the body of a page. The input is our own text, so HTML is not escaped. */
export function renderMarkdown(markdown: string, links: Links): RenderedPage {
  const renderer = new PageRenderer(links);
  const marked = new Marked({
    extensions: [{ name: 'samples', renderer: (token) => renderer.samples(token.samples as Sample[]) }],
  });
  const html = marked.parser(withSamples(marked.lexer(markdown)), { ...marked.defaults, renderer });
  return { title: renderer.title, chapters: renderer.chapters, html };
}

/** Replaces each `{{name}}`. Errors: an unknown name. */
export const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{\{([\w-]+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`Unknown placeholder {{${name}}}.`);
    return value;
  });

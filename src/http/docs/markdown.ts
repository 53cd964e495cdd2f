import { Marked, Renderer, type Token, type Tokens } from 'marked';
import { escape } from '../pages/html.js';
import { highlighted } from './highlight.js';

/** A chapter of a page: anchor and title. */
export interface Chapter {
  id: string;
  title: string;
}

export interface RenderedPage {
  title: string;
  /** Second-level headings, in the order of the page. */
  chapters: readonly Chapter[];
  html: string;
}

/** Functions that resolve links and names in a document to addresses of the site. */
export interface Links {
  /** URL of another document, such as `webhooks.md#retries`, or undefined if the site does not have the document. */
  documentAt: (target: string) => string | undefined;
  /**
   * Address of the call, page or schema member that a code span such as `GET /api/v1/auth/me` names. It is undefined for other
   * code.
   */
  nameAt: (code: string) => string | undefined;
}

/** Returns the anchor of a heading according to GitHub's rules, so that links work in the repository and on the site. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

/** Wraps wide content so that it scrolls horizontally, with the keyboard as well. */
const wide = (html: string): string => `<div class="wide" tabindex="0">${html}</div>`;

class PageRenderer extends Renderer {
  readonly chapters: Chapter[] = [];
  title = '';
  readonly #links: Links;
  /** Whether the renderer is inside a link. HTML does not allow nested links. */
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

  /**
   * Renders one sample in several languages. The script of the page shows one language at a time; without the script, all are
   * shown.
   */
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

/** A code block with its language. The language is taken from the line above the block. */
interface Sample {
  name: string;
  code: Tokens.Code;
}

const LANGUAGE_LINE = /^(?:In|With) (.+):$/;

/** Returns the consecutive samples from a position in the list of tokens, and the number of tokens that they take. */
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

/** Combines consecutive samples in several languages into one token. */
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

/** Renders GitHub-flavored Markdown as the body of a page. HTML is not escaped, because the text is our own. */
export function renderMarkdown(markdown: string, links: Links): RenderedPage {
  const renderer = new PageRenderer(links);
  const marked = new Marked({
    extensions: [{ name: 'samples', renderer: (token) => renderer.samples(token.samples as Sample[]) }],
  });
  const html = marked.parser(withSamples(marked.lexer(markdown)), { ...marked.defaults, renderer });
  return { title: renderer.title, chapters: renderer.chapters, html };
}

/** Replaces each `{{name}}`. Throws if a name is unknown. */
export const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{\{([\w-]+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`Unknown placeholder {{${name}}}.`);
    return value;
  });

import { Marked, Renderer, type Token, type Tokens } from 'marked';
import { escape } from '../pages/html.js';
import { highlighted } from './highlight.js';

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
  /** Address of another document, such as `webhooks.md#retries`; undefined if the site does not have the document. */
  documentAt: (target: string) => string | undefined;
  /** Of a call, a page or a part of a graph in code marks, such as `GET /api/v1/auth/me`; undefined when it is none. */
  nameAt: (code: string) => string | undefined;
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
  /** A link in a link is none. */
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

  /** The same in several languages: all of it without a script, one at a time with it. */
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

/** A block of code, below a line that says in which language it is. */
interface Sample {
  name: string;
  code: Tokens.Code;
}

const LANGUAGE_LINE = /^(?:In|With) (.+):$/;

/** The samples with which a list of tokens begins, and how many tokens they are. */
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

/** Puts what is said in several languages, one after the other, into a token of its own. */
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

/** GitHub's markdown as the body of a page. It is our own text: HTML in it stays HTML. */
export function renderMarkdown(markdown: string, links: Links): RenderedPage {
  const renderer = new PageRenderer(links);
  const marked = new Marked({
    extensions: [{ name: 'samples', renderer: (token) => renderer.samples(token.samples as Sample[]) }],
  });
  const html = marked.parser(withSamples(marked.lexer(markdown)), { ...marked.defaults, renderer });
  return { title: renderer.title, chapters: renderer.chapters, html };
}

/** Replaces each `{{name}}`. Errors: a name that there is not. */
export const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{\{([\w-]+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`Unknown placeholder {{${name}}}.`);
    return value;
  });

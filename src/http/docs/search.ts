import type { RenderedPage } from './markdown.js';

/** Path of the search index of each site. */
export const SEARCH_INDEX = '/docs/search.json';

/** Searchable part of a page: address, title of the page, title of the part, and text. */
export type SearchEntry = readonly [place: string, page: string, title: string, text: string];

/** Matches the start of a part, which is an element with an anchor. The text before the first one is a part as well. */
const PART = /(?=<(?:h[23]|section|div|tr)\b[^>]* id=")/;

/** Splits the HTML of a page into parts, so that all visible text can be found. */
export const searchEntries = (path: string, { title: page, html }: RenderedPage): SearchEntry[] =>
  html.split(PART).map((part) => {
    const anchor = /^<\w+[^>]* id="([^"]*)"/.exec(part)?.[1];
    const title = /<(h[1-3]|dt|td)\b[^>]*>(.*?)<\/\1>/s.exec(part)?.[2] ?? '';
    return [
      anchor === undefined ? path : `${path}#${anchor}`,
      page,
      words(anchor?.includes('.') ? anchor : title),
      words(part),
    ];
  });

const MARKS: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };

/** Returns the plain text of HTML, in one line. Inline elements do not separate words, as in `Order!`. */
const words = (html: string): string =>
  html
    .replaceAll(/<\/?(?:a|code|em|q|span|strong)\b[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (mark) => MARKS[mark]!)
    .replaceAll(/\s+/g, ' ')
    .trim();

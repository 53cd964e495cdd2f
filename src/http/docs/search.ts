import type { RenderedPage } from './markdown.js';

/** Where each site has the index of its pages. */
export const SEARCH_INDEX = '/docs/search.json';

/** A part of a page that can be found: where it is, the name of its page, its own, and its words. */
export type SearchEntry = readonly [place: string, page: string, title: string, text: string];

/** What has an anchor and is about one thing. A page begins before its first. */
const PART = /(?=<(?:h[23]|section|div|tr)\b[^>]* id=")/;

/** A page in parts, from its HTML: what is shown is what can be found. */
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

/** Text without marks, in one line. What stands in one line of the page is not taken apart: `Order!`. */
const words = (html: string): string =>
  html
    .replaceAll(/<\/?(?:a|code|em|q|span|strong)\b[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (mark) => MARKS[mark]!)
    .replaceAll(/\s+/g, ' ')
    .trim();

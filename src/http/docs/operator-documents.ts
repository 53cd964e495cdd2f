import path from 'node:path';
import { escape, HTML, htmlPage, STYLE_SHEET } from '../pages/html.js';
import type { ServedDocument } from '../pages/static-documents.js';
import { isPlace, textOf } from './guides.js';
import type { RenderedPage } from './markdown.js';

/** Documents and files for administrators in the production package, as paths from its root. */
interface ForOperators {
  documents: readonly string[];
  files: readonly string[];
}

const FRONT = '/docs';
const pageOf = (document: string): string => `${FRONT}/${path.basename(document, '.md')}`;
const fileOf = (file: string): string => `${FRONT}/files/${file}`;

/** Returns the documents of the operations listener. Every alert has a URL such as /docs/runbooks#gatewaydown. */
export function operatorDocuments(): ServedDocument[] {
  const { documents, files } = JSON.parse(textOf('ops/for-operators.json')) as ForOperators;
  /** Returns the path of a document or file, or undefined if the package does not have it. */
  const placeOf = (target: string): string | undefined => {
    if (isPlace(target)) return target;
    const [name = '', anchor] = target.split('#', 2);
    const file = path.posix.join('docs', name);
    if (documents.includes(file)) return pageOf(file) + (anchor === undefined ? '' : `#${anchor}`);
    return files.includes(file) ? fileOf(file) : undefined;
  };
  const rendered = async (document: string): Promise<RenderedPage> => {
    const { renderMarkdown } = await import('./markdown.js');
    return renderMarkdown(textOf(document), { documentAt: placeOf, nameAt: () => undefined });
  };
  const link = (place: string, name: string): string => `<li><a href="${escape(place)}">${escape(name)}</a></li>`;
  const list = (links: readonly string[]): string => `<ul>${links.join('')}</ul>`;
  const page = (title: string, html: string, contents: string): string =>
    htmlPage(
      title,
      `<header class="site"><a class="home" href="${FRONT}">Operations documents</a></header>` +
        `<div class="columns"><main class="guide">${html}</main><nav class="contents">${contents}</nav></div>`,
    );
  const front = async (): Promise<string> => {
    const titles = await Promise.all(documents.map(async (document) => (await rendered(document)).title));
    const pages = list(documents.map((document, index) => link(pageOf(document), titles[index]!)));
    const heading = '<h1>Operations documents</h1>';
    return page(
      'Operations documents',
      `${heading}${pages}<h2>Files</h2>${list(files.map((file) => link(fileOf(file), file)))}`,
      '',
    );
  };
  return [
    { path: FRONT, headers: HTML, text: front },
    {
      path: STYLE_SHEET.path,
      headers: { 'content-type': 'text/css; charset=utf-8' },
      text: () => textOf(STYLE_SHEET.file),
    },
    ...documents.map((document) => ({
      path: pageOf(document),
      headers: HTML,
      text: async () => {
        const { title, chapters, html } = await rendered(document);
        return page(title, html, list(chapters.map(({ id, title: name }) => link(`#${id}`, name))));
      },
    })),
    ...files.map((file) => ({
      path: fileOf(file),
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      text: () => textOf(file),
    })),
  ];
}

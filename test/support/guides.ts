import { readFileSync } from 'node:fs';

interface CodeBlock {
  language: string;
  code: string;
}

/** Code blocks of a document, in order. */
export const codeBlocksOf = (file: string): CodeBlock[] =>
  [...readFileSync(file, 'utf8').matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)].map(([, language, code]) => ({
    language: language!,
    code: code!,
  }));

/** Code blocks of a page, as a reader sees and copies them. */
export const displayedBlocks = (html: string): CodeBlock[] =>
  [...html.matchAll(/<code class="language-(\w*)">([\s\S]*?)<\/code>/g)].map(([, language, code]) => ({
    language: language!,
    code: plainText(code!),
  }));

/** HTML without markup. */
export const plainText = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

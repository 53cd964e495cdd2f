import { execFileSync } from 'node:child_process';

const DOCUMENTS = ['*.md', 'docs/**/*.md', 'clients/**/*.md', 'examples/**/*.md', 'ops/**/*.md'];
const CODE = ['src', 'portal', 'test', 'clients', 'examples', 'ops', 'codegen.ts'];
const COMMENTED = /\.(?:tsx?|mjs|sql|css|ya?ml|sh|cfg|conf|service|php)$/;

/** Folders whose comments are not read: a migration that was applied is compared by its text, pages are rewritten with their code. */
const LATER = ['src/db/sql/migrations/', 'portal/src/pages/'];

/** Every document, and every file with comments, of the repository. */
export function filesToRead(root) {
  const tracked = (...patterns) =>
    execFileSync('git', ['ls-files', '-z', ...patterns], { cwd: root, encoding: 'utf8' })
      .split('\0')
      .filter(Boolean);
  return [
    ...new Set([
      ...tracked(...DOCUMENTS),
      ...tracked(...CODE).filter(
        (file) =>
          COMMENTED.test(file) &&
          !/generated|\/released\//.test(file) &&
          !LATER.some((folder) => file.startsWith(folder)),
      ),
    ]),
  ].toSorted();
}

const COMMENTS = {
  slashes: /(?<=^|\s)\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/gm,
  dashes: /(?<=^|\s)--.*|\/\*[\s\S]*?\*\//gm,
  hashes: /(?<=^|\s)#(?!!).*/gm,
};

/** Markers of lint tools and of generators, and sections that separate. */
const MARKER =
  /^(?:biome-ignore|oxlint-|eslint-|@ts-|@type|prettier-|squawk-|yaml-language-server|region|endregion|shellcheck|syntax=|[-=#]+$)/;

/** The comments of a file, each on its line, as Markdown: other lines are empty. */
export function commentsOf(file, source) {
  const kind = file.endsWith('.sql') ? 'dashes' : /\.(?:tsx?|mjs|css|php)$/.test(file) ? 'slashes' : 'hashes';
  const lines = source.split('\n').map(() => '');
  for (const { 0: comment, index } of source.matchAll(COMMENTS[kind])) {
    const first = source.slice(0, index).split('\n').length - 1;
    comment
      .replace(/^\/\*+|\*+\/$/g, '')
      .split('\n')
      .forEach((line, at) => {
        const text = line
          .replace(/^\s*(?:\*(?!\*)|\/\/+|--+|#+)?\s*/, '')
          .replace(/^@(?:param|throws|returns) \w+ /, '')
          .trim();
        if (!MARKER.test(text)) lines[first + at] = text;
      });
  }
  return lines.join('\n');
}

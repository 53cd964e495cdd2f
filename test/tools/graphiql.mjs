// GraphiQL as one module, for `npm run libraries`: what is in it but React and graphql, which it shares with the page that loads it.
// Pages of this service allow no text that becomes HTML and no style element, so the few places that make some are written anew.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { esmExternalRequirePlugin } from 'rolldown/plugins';

/** Modules of packages, by the end of their path. A description is shown as it is written: ours are sentences. */
const MADE_ANEW = {
  '@graphiql/react/dist/markdown.js': 'export const markdown = { render: (text) => text };',
  '@graphiql/react/dist/ui/markdown.js': `
    import { clsx } from 'clsx';
    import { forwardRef } from 'react';
    import { jsx } from 'react/jsx-runtime';
    export const MarkdownContent = forwardRef(({ children, onlyShowFirstChild, type, className, ...props }, ref) => {
      const names = clsx('graphiql-markdown-' + type, onlyShowFirstChild && 'graphiql-markdown-preview', className);
      return jsx('div', { ...props, ref, className: names, children });
    });`,
  'react-style-singleton/dist/es2015/singleton.js': `
    export const stylesheetSingleton = () => {
      const sheet = new CSSStyleSheet();
      let count = 0;
      return {
        add(css) {
          sheet.replaceSync(css);
          if (count++ === 0) document.adoptedStyleSheets.push(sheet);
        },
        remove() {
          if (--count === 0) document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
        },
      };
    };`,
};
/** What keeps people out, mended in the text of modules: what stands there, and what takes its place. */
const editor = (name, label) => [
  `@graphiql/react/dist/editor/${name}-editor.js`,
  'CodeMirror(container, {',
  `CodeMirror(container, { screenReaderLabel: "${label}",`,
];
const MENDED = [
  editor('query', 'Operation'),
  editor('variable', 'Variables'),
  editor('header', 'Headers'),
  editor('response', 'Answer'),
  // who has no mouse scrolls it by the keys
  ['codemirror/lib/codemirror.js', 'scroller.setAttribute("tabIndex", "-1")', 'scroller.setAttribute("tabIndex", "0")'],
  // a tab may hold no buttons: it is a list of them
  ['@graphiql/react/dist/ui/tabs.js', '"aria-selected": isActive, role: "tab",', '"aria-current": isActive,'],
  ['@graphiql/react/dist/ui/tabs.js', ' role: "tablist",', ''],
  ['graphiql/dist/GraphiQL.js', 'role: "tabpanel",', 'role: "group",'],
];
const MAKES_HTML = /\.innerHTML\s*=|\.outerHTML\s*=|insertAdjacentHTML|createElement\(["'`]style["'`]\)/;

/** @param used told what of the two lists was needed */
const anew = (used) => ({
  name: 'anew',
  load: {
    filter: { id: /\.m?js$/ },
    handler(id) {
      const name = Object.keys(MADE_ANEW).find((end) => id.endsWith(`/node_modules/${end}`));
      if (name) {
        used.add(name);
        return MADE_ANEW[name];
      }
      let text = readFileSync(id, 'utf8').replace(/\.innerHTML\s*=/g, '.textContent =');
      for (const mended of MENDED) {
        const [end, from, to] = mended;
        if (!id.endsWith(`/node_modules/${end}`) || !text.includes(from)) continue;
        used.add(mended);
        text = text.replace(from, to);
      }
      return text;
    },
  },
});

/** The script, and the packages whose modules are in it. */
export async function graphiqlScript(directory) {
  const used = new Set();
  const made = await rolldown({
    input: 'graphiql',
    cwd: directory,
    platform: 'browser',
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    plugins: [esmExternalRequirePlugin({ external: [/^(react|react-dom|graphql)(\/.*)?$/] }), anew(used)],
    onLog: (level, log, report) => (log.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : report(level, log)),
  });
  const { output } = await made.generate({ codeSplitting: false, minify: true, comments: false });
  const [{ code, moduleIds }] = output;
  const unused = [...Object.keys(MADE_ANEW), ...MENDED].filter((name) => !used.has(name));
  if (unused.length > 0) throw new Error(`GraphiQL has no longer ${unused.join('; ')}: see test/tools/graphiql.mjs.`);
  if (output.length > 1 || MAKES_HTML.test(code)) throw new Error('GraphiQL writes HTML or a style in another place.');
  const packages = moduleIds.map((id) => path.relative(directory, id).match(/node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1]);
  return { code, packages: [...new Set(packages.filter(Boolean))].toSorted() };
}

/** The style sheet without the fonts that it brings: pages have their own. */
export const graphiqlStyle = (directory) =>
  readFileSync(path.join(directory, 'node_modules/graphiql/dist/style.css'), 'utf8')
    .replace(/@font-face\s*\{[^}]*\}/g, '')
    .replace(/\n{2,}/g, '\n');

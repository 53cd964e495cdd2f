// GraphiQL as a single module, for `npm run libraries`. Includes everything except React and graphql, which it shares with the
// page. Pages of this service do not allow HTML from strings or style elements, so the few places that use them are replaced.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { esmExternalRequirePlugin } from 'rolldown/plugins';

/** Replaced modules by the end of their path. Descriptions are shown as plain text because ours are sentences. */
const REPLACED_MODULES = {
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
/** Accessibility fixes in module sources: original and replacement. */
const editor = (name, label) => [
  `@graphiql/react/dist/editor/${name}-editor.js`,
  'CodeMirror(container, {',
  `CodeMirror(container, { screenReaderLabel: "${label}",`,
];
const FIXES = [
  editor('query', 'Operation'),
  editor('variable', 'Variables'),
  editor('header', 'Headers'),
  editor('response', 'Answer'),
  // makes the area scrollable with the keyboard
  ['codemirror/lib/codemirror.js', 'scroller.setAttribute("tabIndex", "-1")', 'scroller.setAttribute("tabIndex", "0")'],
  // a tab must not contain buttons, so the tabs become a list
  ['@graphiql/react/dist/ui/tabs.js', '"aria-selected": isActive, role: "tab",', '"aria-current": isActive,'],
  ['@graphiql/react/dist/ui/tabs.js', ' role: "tablist",', ''],
  ['graphiql/dist/GraphiQL.js', 'role: "tabpanel",', 'role: "group",'],
];
const MAKES_HTML = /\.innerHTML\s*=|\.outerHTML\s*=|insertAdjacentHTML|createElement\(["'`]style["'`]\)/;

/** @param used receives the applied replacements of both lists */
const replacements = (used) => ({
  name: 'replacements',
  load: {
    filter: { id: /\.m?js$/ },
    handler(id) {
      const name = Object.keys(REPLACED_MODULES).find((end) => id.endsWith(`/node_modules/${end}`));
      if (name) {
        used.add(name);
        return REPLACED_MODULES[name];
      }
      let text = readFileSync(id, 'utf8').replace(/\.innerHTML\s*=/g, '.textContent =');
      for (const fix of FIXES) {
        const [end, from, to] = fix;
        if (!id.endsWith(`/node_modules/${end}`) || !text.includes(from)) continue;
        used.add(fix);
        text = text.replace(from, to);
      }
      return text;
    },
  },
});

/** The script, and the packages whose modules it contains. */
export async function graphiqlScript(directory) {
  const used = new Set();
  const bundle = await rolldown({
    input: 'graphiql',
    cwd: directory,
    platform: 'browser',
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    plugins: [esmExternalRequirePlugin({ external: [/^(react|react-dom|graphql)(\/.*)?$/] }), replacements(used)],
    onLog: (level, log, report) => (log.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : report(level, log)),
  });
  const { output } = await bundle.generate({ codeSplitting: false, minify: true, comments: false });
  const [{ code, moduleIds }] = output;
  const unused = [...Object.keys(REPLACED_MODULES), ...FIXES].filter((name) => !used.has(name));
  if (unused.length > 0)
    throw new Error(`GraphiQL no longer contains ${unused.join('; ')}. Update test/tools/graphiql.mjs.`);
  if (output.length > 1 || MAKES_HTML.test(code))
    throw new Error('GraphiQL writes HTML or a style in an unexpected place.');
  const packages = moduleIds.map((id) => path.relative(directory, id).match(/node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1]);
  return { code, packages: [...new Set(packages.filter(Boolean))].toSorted() };
}

/** The style sheet without its fonts, because pages use their own. */
export const graphiqlStyle = (directory) =>
  readFileSync(path.join(directory, 'node_modules/graphiql/dist/style.css'), 'utf8')
    .replace(/@font-face\s*\{[^}]*\}/g, '')
    .replace(/\n{2,}/g, '\n');

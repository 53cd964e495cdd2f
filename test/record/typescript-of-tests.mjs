// Makes Node.js load the TypeScript of test/: an import of `x.js` resolves to `x.ts`, whose types Node strips. Imports from src
// resolve to the compiled files, because decorators cannot be stripped.
import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = new URL('../../', import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    if (!specifier.startsWith('.') || !context.parentURL?.startsWith(`${root}test/`)) return next(specifier, context);
    const { href } = new URL(specifier, context.parentURL);
    if (href.startsWith(`${root}src/`)) return next(href.replace(`${root}src/`, `${root}dist/.tsc/`), context);
    const written = fileURLToPath(href).replace(/\.js$/, '.ts');
    return existsSync(written) ? next(pathToFileURL(written).href, context) : next(specifier, context);
  },
});

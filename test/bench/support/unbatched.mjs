// Loaded into the service with `node --import`. Sends each posting and each read to the database immediately and separately, to
// show what the service would cost without batches. Everything else is unchanged.
import { registerHooks } from 'node:module';

const CHANGES = [
  [/maxBatch = 128\b/, 'maxBatch = 1'],
  [/inFlight = 2\b/, 'inFlight = 1000'],
  [/\bMAX_BATCH = 500\b/, 'MAX_BATCH = 1'],
  [/\bUNDER_WAY = 2\b/, 'UNDER_WAY = 1000'],
];
const left = new Set(CHANGES.keys());

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!/\/dist\/(?:chunks\/|main)[^/]*\.js$/.test(url)) return loaded;
    let source = String(loaded.source);
    for (const [index, [pattern, replacement]] of CHANGES.entries()) {
      if (!pattern.test(source)) continue;
      left.delete(index);
      source = source.replace(pattern, replacement);
    }
    return { ...loaded, source };
  },
});

// sent before the benchmark learns that the service is ready
const send = process.send?.bind(process);
process.send = (message, ...more) => {
  if (message?.ready && left.size > 0) throw new Error(`Not found in dist: ${[...left].map((n) => CHANGES[n][0])}`);
  return send(message, ...more);
};

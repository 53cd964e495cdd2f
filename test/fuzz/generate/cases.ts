import fc from 'fast-check';
import type { FuzzCase } from '../case.js';
import { Draw } from './draw.js';
import { graphqlCase, graphqlGetCase, type Schemas } from './graphql.js';
import { callbackCase, downloadCase, strayCase } from './others.js';
import { restCase } from './rest.js';
import { uploadCase } from './upload.js';

/** Frequency of each generator, in percent. */
const mix = (schemas: Schemas): readonly (readonly [number, (draw: Draw) => FuzzCase])[] => [
  [20, (draw) => restCase(draw, 'valid')],
  [14, (draw) => restCase(draw, 'near')],
  [9, (draw) => restCase(draw, 'hostile')],
  [5, (draw) => restCase(draw, 'raw')],
  [14, (draw) => graphqlCase(draw, schemas, 'valid')],
  [16, (draw) => graphqlCase(draw, schemas, 'near')],
  [5, (draw) => graphqlCase(draw, schemas, 'shape')],
  [3, (draw) => graphqlCase(draw, schemas, 'raw')],
  [3, (draw) => graphqlGetCase(draw, schemas)],
  [2, (draw) => uploadCase(draw)],
  [4, (draw) => callbackCase(draw)],
  [2, (draw) => downloadCase(draw)],
  [3, (draw) => strayCase(draw)],
];

/** Cases of every generator, by weight. They are built from draws that shrink. */
export function anyCase(schemas: Schemas): fc.Arbitrary<FuzzCase> {
  const entries = mix(schemas);
  return fc.gen().map((generate) => {
    const draw = new Draw(generate);
    return draw.weighted(entries)(draw);
  });
}

/** The cases of one seed, in order. The same seed produces the same cases. */
export const casesOf = (arbitrary: fc.Arbitrary<FuzzCase>, seed: number, count: number): FuzzCase[] =>
  fc.sample(arbitrary, { seed, numRuns: count, unbiased: true });

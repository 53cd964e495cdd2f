import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Mutation {
  name: string;
  file: string;
  from: string;
  tests: string[];
}

const { mutations } = (await import(new URL('./mutations.mjs', import.meta.url).href)) as { mutations: Mutation[] };

it('every mutation of `npm run mutate` matches the code that it changes, and its test files exist', () => {
  const unfit = mutations.filter(
    ({ file, from, tests }) => readFileSync(file, 'utf8').split(from).length !== 2 || !tests.every(existsSync),
  );
  expect(unfit.map(({ name }) => name)).toEqual([]);
});

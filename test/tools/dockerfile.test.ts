import { readFileSync, statSync } from 'node:fs';
import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { commandOf, commandOfImage, missingOf, PORTS, unknownOf, yamlOf } from '../ops/described.fixture.js';

const text = readFileSync('Dockerfile', 'utf8');
const instructions = DockerfileParser.parse(text)
  .getInstructions()
  .map((instruction) => ({ keyword: instruction.getKeyword(), words: instruction.getArguments().map(String) }));
const all = (keyword: string): string[][] =>
  instructions.filter((instruction) => instruction.keyword === keyword).map(({ words }) => words);
/** What comes from outside, and not from another stage. */
const copied = [...text.matchAll(/^COPY (?!--from=)(.*) \S+$/gm)].flatMap(([, files]) => files!.split(' '));

/** The lines of .dockerignore that let something in; all the rest stays out. */
const letIn = readFileSync('.dockerignore', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('!'))
  .map((line) => line.slice(1));

describe('Dockerfile', () => {
  it('has no fault that a linter knows', () => {
    expect(validate(text)).toEqual([]);
    // one that would be found
    expect(validate('FROM node\nCOPPY a b\n')).toHaveLength(1);
  });

  it('builds with one Node and runs with the same, from images that are named by their version', () => {
    const given = Object.fromEntries(
      // a stage that uses it names it again, without a value
      all('ARG').flatMap(([word]) => (word!.includes('=') ? [word!.split('=') as [string, string]] : [])),
    );
    const images = all('FROM').map(([image]) => (image!.startsWith('$') ? given[image!.slice(1)]! : image!));
    const [first] = images;
    const stages = all('FROM').map((words) => words[2]);
    expect(first).toMatch(/^node:26-/);
    expect(images.filter((image) => image !== first && !stages.includes(image))).toEqual([]);
  });

  it('copies only what is there and what .dockerignore lets in, and builds from the lock file', () => {
    expect(missingOf(letIn)).toEqual([]);
    expect(missingOf(copied.filter((file) => file !== '.'))).toEqual([]);
    for (const file of copied.filter((name) => name !== '.'))
      expect(letIn.some((entry) => file === entry || file.startsWith(`${entry}/`))).toBe(true);
    expect(
      readFileSync('.dockerignore', 'utf8')
        .split('\n')
        .find((line) => !line.startsWith('#')),
    ).toBe('*');
    expect(letIn.filter((entry) => /secrets?$|secrets\/|env$|(^|\/)data|test/.test(entry))).toEqual([]);
    expect(
      letIn.filter((entry) => !statSync(entry).isFile() && !['src', 'portal', 'clients', 'docs/guide'].includes(entry)),
    ).toEqual(letIn.filter((entry) => /^ops\/([a-z]+|kubernetes\/[a-z-]+)$/.test(entry)));
    // all that the pack puts together for operators
    const { documents, files } = JSON.parse(readFileSync('ops/for-operators.json', 'utf8')) as Record<string, string[]>;
    expect(
      [...documents!, ...files!].filter(
        (file) => !letIn.some((entry) => file === entry || file.startsWith(`${entry}/`)),
      ),
    ).toEqual([]);
    expect(text).toContain('RUN npm ci\n');
  });

  it('gives the commit to the build, which has no repository, and says it in a label', () => {
    const build = /AS build\n(.*?)\n\n/s.exec(text)![1]!;
    expect(build).toMatch(/^ARG REVISION=unknown\nRUN SOURCE_COMMIT="\$REVISION" npm run build /m);
    expect(all('LABEL').at(-1)!.join(' ')).toContain('org.opencontainers.image.revision="$REVISION"');
    expect(yamlOf('compose.yaml').services.migrate.build.args).toEqual({ REVISION: '${REVISION:-unknown}' });
  });

  it('runs the service as a user who is no root, with its settings and ports, and looks after it', () => {
    expect(all('USER')).toEqual([['1000:1000']]);
    const variables = all('ENV')
      .flat()
      .map((word) => word.split('=')[0]!);
    expect(unknownOf(variables)).toEqual(['PATH']);
    expect(all('EXPOSE').at(-1)!.map(Number)).toEqual(Object.values(PORTS));
    expect(all('STOPSIGNAL')).toEqual([['SIGTERM']]);
    expect(commandOf(commandOfImage())).toBe('serve');
  });
});

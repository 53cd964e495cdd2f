import { readFileSync, statSync } from 'node:fs';
import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import {
  commandOf,
  commandOfImage,
  missingOf,
  PORTS,
  unknownSettings,
  yamlOf,
} from '../ops/deployment-files.fixture.js';

const text = readFileSync('Dockerfile', 'utf8');
const instructions = DockerfileParser.parse(text)
  .getInstructions()
  .map((instruction) => ({ keyword: instruction.getKeyword(), words: instruction.getArguments().map(String) }));
const all = (keyword: string): string[][] =>
  instructions.filter((instruction) => instruction.keyword === keyword).map(({ words }) => words);
/** Files copied from the build context, as opposed to earlier stages. */
const copied = [...text.matchAll(/^COPY (?!--from=)(.*) \S+$/gm)].flatMap(([, files]) => files!.split(' '));

/** Patterns in .dockerignore that include files; everything else is excluded. */
const letIn = readFileSync('.dockerignore', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('!'))
  .map((line) => line.slice(1));

describe('Dockerfile', () => {
  it('passes the linter', () => {
    expect(validate(text)).toEqual([]);
    // an error that the linter must find
    expect(validate('FROM node\nCOPPY a b\n')).toHaveLength(1);
  });

  it('builds and runs with the same Node version, from images with pinned versions', () => {
    const argDefaults = Object.fromEntries(
      // a stage declares the argument again without a value to use it
      all('ARG').flatMap(([word]) => (word!.includes('=') ? [word!.split('=') as [string, string]] : [])),
    );
    const images = all('FROM').map(([image]) => (image!.startsWith('$') ? argDefaults[image!.slice(1)]! : image!));
    const [first] = images;
    const stages = all('FROM').map((words) => words[2]);
    expect(first).toMatch(/^node:26-/);
    expect(images.filter((image) => image !== first && !stages.includes(image))).toEqual([]);
  });

  it('copies only existing files that .dockerignore includes, and installs from the lock file', () => {
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
    // all files that the release archive contains
    const { documents, files } = JSON.parse(readFileSync('ops/for-operators.json', 'utf8')) as Record<string, string[]>;
    expect(
      [...documents!, ...files!].filter(
        (file) => !letIn.some((entry) => file === entry || file.startsWith(`${entry}/`)),
      ),
    ).toEqual([]);
    expect(text).toContain('RUN npm ci\n');
  });

  it('passes the commit to the build, which has no repository, and adds it as a label', () => {
    const build = /AS build\n(.*?)\n\n/s.exec(text)![1]!;
    expect(build).toMatch(/^ARG REVISION=unknown\nRUN SOURCE_COMMIT="\$REVISION" npm run build /m);
    expect(all('LABEL').at(-1)!.join(' ')).toContain('org.opencontainers.image.revision="$REVISION"');
    expect(yamlOf('compose.yaml').services.migrate.build.args).toEqual({ REVISION: '${REVISION:-unknown}' });
  });

  it('runs the service as a non-root user with its settings, ports and health check', () => {
    expect(all('USER')).toEqual([['1000:1000']]);
    const variables = all('ENV')
      .flat()
      .map((word) => word.split('=')[0]!);
    expect(unknownSettings(variables)).toEqual(['PATH']);
    expect(all('EXPOSE').at(-1)!.map(Number)).toEqual(Object.values(PORTS));
    expect(all('STOPSIGNAL')).toEqual([['SIGTERM']]);
    expect(commandOf(commandOfImage())).toBe('serve');
  });
});

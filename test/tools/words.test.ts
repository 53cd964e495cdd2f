import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.js';

const LONG = `The order ${'of the developer '.repeat(10)}is final.`;
const FILES = {
  'good.md': '# Orders\n\nThe service returns the response of the provider.\n',
  'good.ts': `/** Returns the response. */\nexport const answer = 'the answer';\n`,
  'bad.md': `# The answer\n\n${LONG}\n\nThe the order is final.\n\nThe ordr is final.\n`,
  'bad.ts': '// The answer.\nconst answer = 1;\n',
  'bad.sql': '-- The answer.\nselect answer from orders;\n',
  'bad.yml': '# The answer.\nanswer: 1\n',
};

it('`npm run check:words` complains about documents and comments, but not about code', () => {
  const directory = temporaryDirectory();
  const files = Object.entries(FILES).map(([name, content]) => {
    const file = path.join(directory, name);
    writeFileSync(file, content);
    return file;
  });
  const { status, stderr } = spawnSync(process.execPath, ['test/tools/words/check.mjs', ...files], {
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr.replaceAll(`${directory}/`, '').split('\n')).toEqual([
    expect.stringMatching(/^bad\.md:1: "answer": write response/),
    expect.stringMatching(/^bad\.md:3: a sentence of 34 words/),
    expect.stringMatching(/^bad\.md:5: "the" is repeated/),
    'bad.md:7: "ordr" is in no dictionary',
    expect.stringMatching(/^bad\.ts:1: "answer"/),
    expect.stringMatching(/^bad\.sql:1: "answer"/),
    expect.stringMatching(/^bad\.yml:1: "answer"/),
    expect.stringMatching(/^7 complaints\./),
    '',
  ]);
});

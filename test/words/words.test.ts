import { describe, expect, it } from 'vitest';

interface Text {
  place: string;
  text: string;
  isDescription?: boolean;
  isMutation?: boolean;
}

const load = (name: string) => import(new URL(name, import.meta.url).href);
const { complaintsAbout } = (await load('./rules.mjs')) as {
  complaintsAbout(text: Omit<Text, 'place'>): string[];
};
const { descriptionsOf, textsOf } = (await load('./texts.mjs')) as {
  descriptionsOf(source: string): Text[];
  textsOf(file: string, content: string): Text[];
};

describe('the word check', () => {
  it.each([
    ['a term', 'The answer of the provider.', '"answer": write response; return, respond'],
    ['a term of the product', 'Waits for an administrator.', '"Waits for an admin": write pending approval'],
    ['a long sentence', `Time ${'of the order '.repeat(10)}in UTC.`, 'a sentence of 33 words: at most 30'],
  ])('complains about %s', (_name, text, complaint) => {
    expect(complaintsAbout({ text })).toEqual([expect.stringContaining(complaint)]);
  });

  it('complains about the first word of a description, and of a mutation that does not begin with a verb', () => {
    const schema = `
      type Order { "What it costs." fee: Int }
      type Mutation { "The order is cancelled." cancelOrder: Order "Cancels an order." cancel("Which order." id: ID): Order }`;
    expect(descriptionsOf(schema).map(({ place, ...each }) => [place, ...complaintsAbout(each)])).toEqual([
      ['Order.fee', 'begins with "what": begin with a noun or a verb'],
      ['Mutation.cancelOrder', 'begins with "the": begin with a verb, such as "Creates"'],
      ['Mutation.cancel'],
      ['Mutation.cancel.id', 'begins with "which": begin with a noun or a verb'],
    ]);
  });

  it('reads texts of a file, but no names, no code and no comments', () => {
    const file = `// The answer of the provider.
      const sql = 'select answer from orders where id = $1';
      const kind = 'answer';
      throw new Error('The answer is late.');`;
    expect(textsOf('a.ts', file)).toEqual([{ place: 'a.ts:4', text: 'The answer is late.' }]);
  });

  it('does not complain about code in backticks, placeholders and names in capitals', () => {
    expect(
      complaintsAbout({ text: 'Returns `answer` and {answer} in the state REFUSED.', isDescription: true }),
    ).toEqual([]);
  });
});

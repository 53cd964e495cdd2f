import { judge } from '../../words/rules.mjs';

/** What a reader sees of a node; code is replaced, because it is not prose. */
function proseOf(node) {
  switch (node.type) {
    case 'Str':
      return node.value;
    case 'Code':
      return 'X';
    case 'Html':
    case 'CodeBlock':
      return '';
    case 'Break':
      return ' ';
    default:
      return (node.children ?? []).map(proseOf).join('');
  }
}

/** The terms and the length of sentences, as a rule of textlint. */
export const standardTerms = (context) => {
  const { Syntax, RuleError, report } = context;
  const read = (node) => {
    for (const complaint of judge(proseOf(node))) report(node, new RuleError(complaint));
  };
  return { [Syntax.Paragraph]: read, [Syntax.Header]: read, [Syntax.TableCell]: read };
};

import { banks } from '../../core/banks.js';
import { circles } from '../../core/circles.js';
import { fieldRules } from '../../core/field-rules.js';
import { lookupScripts, magicNumbers, moneyScripts } from '../../core/magic-numbers.js';
import { type OperatorType, operators } from '../../core/operators.js';
import { aboutServices } from '../../core/services.js';
import { headerComponents } from '../../rest/openapi/headers.js';
import { readingRules } from '../../rest/reading-rules.js';
import { sampleCategories } from '../../samples/products.js';

/** Returns a table in GitHub-flavored Markdown. Cells can contain Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export const code = (text: string | number): string => `\`${text}\``;

const byName = <Named extends { name: string }>(named: readonly Named[]): Named[] =>
  named.toSorted((one, other) => one.name.localeCompare(other.name, 'en'));

const operatorsOf = (type: OperatorType): string =>
  table(
    ['Operator', '`operator_sp_key`', '`opcode`'],
    operators
      .filter((operator) => operator.type === type)
      .map(({ name, spKeys, opcode }) => [name, spKeys.map(code).join(' or '), code(opcode)]),
  );

/** Tables for the guides, generated from the data that the service uses. */
export const codeTables: Readonly<Record<string, string>> = {
  mobile_operators: operatorsOf('mobile'),
  dth_operators: operatorsOf('dth'),
  circles: table(
    ['Circle', 'Code'],
    byName(circles).map(({ name, code: circle }) => [name, code(circle)]),
  ),
  banks: table(
    ['Bank', '`opcode`'],
    byName(banks).map(({ name, opcode }) => [name, code(opcode)]),
  ),
  categories: table(
    ['Category in UAT', '`id`'],
    sampleCategories.map(({ title, id }) => [title, code(id)]),
  ),
  services: table(
    ['Service key', 'Description'],
    Object.entries(aboutServices).map(([service, about]) => [code(service), about]),
  ),
  test_numbers: table(
    ['Ends in', 'Recharge and bill payment', 'Lookup, bill fetch, profile'],
    [
      ...Object.entries(magicNumbers).map(([digits, { money, lookup }]) => [
        code(`54${digits}`),
        moneyScripts[money],
        lookupScripts[lookup],
      ]),
      ['Any other digits', moneyScripts.success, lookupScripts.success],
    ],
  ),
  headers: table(
    ['Response header', 'Description'],
    Object.entries(headerComponents).map(([name, { description }]) => [code(name), String(description)]),
  ),
  reading_rules: table(
    ['Input', 'Query', 'Header', 'Form', 'JSON'],
    Object.entries(readingRules).map(([what, { query, header, form, json }]) => [what, query, header, form, json]),
  ),
  field_rules: table(
    ['`rule`', 'Meaning'],
    Object.entries(fieldRules).map(([rule, about]) => [code(rule), about]),
  ),
};

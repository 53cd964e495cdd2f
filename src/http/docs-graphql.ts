import type { GraphQLField, GraphQLSchema } from 'graphql';
import { MAX_ROWS } from '../graphql/row-cost.js';
import { escape } from './html.js';

const EXAMPLE = `query Screen($mobile: String!, $key: String!) {
  services { service enabled fee }
  wallet { balance held version }
  operatorFind(input: { mobile: $mobile, clientRequestId: $key }) {
    operator { name spKey available }
    circle { code name }
    plans { groups { name plans { price validity description } } }
  }
}`;

const argumentsOf = ({ args }: GraphQLField<unknown, unknown>): string =>
  args.map(({ name, type }) => `${name}: ${String(type)}`).join(', ');

const row = (field: GraphQLField<unknown, unknown>): string =>
  `<tr><td><code>${escape(field.name)}</code></td><td><code>${escape(argumentsOf(field))}</code></td><td><code>${escape(String(field.type))}</code></td><td>${escape(field.description ?? '')}</td></tr>`;

const table = (title: string, fields: readonly GraphQLField<unknown, unknown>[]): string =>
  `<h3>${title}</h3><table><thead><tr><th>Field</th><th>Arguments</th><th>Answer</th><th>What it is</th></tr></thead><tbody>${fields.map(row).join('')}</tbody></table>`;

/** The chapter on GraphQL: how it is called, and every root field. The schema says the rest. */
export function graphqlChapter(schema: GraphQLSchema, baseUrl: string): string {
  const roots = [
    ['Queries', schema.getQueryType()],
    ['Mutations', schema.getMutationType()],
    ['Subscriptions', schema.getSubscriptionType()],
  ] as const;
  return `<section id="graphql"><h2>GraphQL</h2>
    <p><code>POST ${escape(baseUrl)}/graphql</code> with the same token as REST, as JSON with <code>query</code>, <code>variables</code> and <code>operationName</code>. Limits, keys and errors are the same: a repetition over either gets the first order. At most one field of an operation moves money.</p>
    <p>Each failed field is <code>null</code> with an entry in <code>errors</code>: <code>path</code>, <code>locations</code>, and <code>extensions</code> with <code>code</code>, <code>retryable</code>, <code>charged</code> and the wrong <code>fields</code>. A recharge or payment that was declined is no error: its <code>order</code> is <code>FAILED</code> with a <code>decline</code>.</p>
    <p>What has an <code>id</code> can be read again with <code>node</code>. Lists take <code>first</code> and <code>after</code>, or <code>last</code> and <code>before</code>. <code>order(waitMs:)</code> and <code>orderChanged</code> wait for a verdict; a subscription is sent with <code>Accept: text/event-stream</code>.</p>
    <p>A browser or an app gets no token of a server: <code>createClientToken</code> makes one for it that opens a few fields for some minutes.</p>
    <p>An operation may ask for ${MAX_ROWS} rows: pages count by <code>first</code> or <code>last</code>, 20 without either, and lists inside of lists multiply. Above it nothing runs, and <code>INVALID_DOCUMENT</code> names the list with the largest part of them. <code>extensions.cost</code> tells the <code>rows</code> that an operation asked for and the <code>limit</code>.</p>
    <p>A screen in one round trip:</p><pre>${escape(EXAMPLE)}</pre>
    ${roots.map(([title, type]) => (type ? table(title, Object.values(type.getFields())) : '')).join('')}
  </section>`;
}

import { createServer } from 'node:http';
import { useGraphQlJit } from '@envelop/graphql-jit';
import { createSchema, createYoga } from 'graphql-yoga';
import { announce } from './announce.mjs';
import { requestContext, resolvers, typeDefs } from './plans.mjs';

const contextOf = requestContext();
const yoga = createYoga({
  schema: createSchema({ typeDefs, resolvers }),
  plugins: [useGraphQlJit()],
  logging: false,
  graphiql: false,
  landingPage: false,
  context: ({ request }) => contextOf(request.headers.get('authorization')),
});
createServer((request, response) => void yoga(request, response)).listen(
  Number(process.env.PORT),
  '127.0.0.1',
  announce,
);

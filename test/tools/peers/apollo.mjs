// Configured as in the documentation of Apollo Server.
import { ApolloServer } from '@apollo/server';
import { expressMiddleware } from '@as-integrations/express5';
import express from 'express';
import { announce } from './announce.mjs';
import { requestContext, resolvers, typeDefs } from './plans.mjs';

const contextOf = requestContext();
const server = new ApolloServer({ typeDefs, resolvers });
await server.start();
const app = express();
app.use(
  '/graphql',
  express.json(),
  expressMiddleware(server, { context: ({ req }) => contextOf(req.headers.authorization) }),
);
app.listen(Number(process.env.PORT), '127.0.0.1', announce);

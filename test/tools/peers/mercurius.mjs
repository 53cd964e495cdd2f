import Fastify from 'fastify';
import mercurius from 'mercurius';
import { announce } from './announce.mjs';
import { requestContext, resolvers, typeDefs } from './plans.mjs';

const contextOf = requestContext();
const app = Fastify();
await app.register(mercurius, {
  schema: typeDefs,
  resolvers,
  jit: 1,
  context: (request) => contextOf(request.headers.authorization),
});
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
announce();

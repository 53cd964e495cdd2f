import { ApolloProvider } from '@apollo/client/react';
import { createRoot } from 'react-dom/client';
import { createClient } from './client.js';
import { Shop } from './shop.js';

const client = await createClient();
createRoot(document.querySelector('#shop')!).render(
  <ApolloProvider client={client}>
    <Shop />
  </ApolloProvider>,
);

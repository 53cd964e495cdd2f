// The demo accounts as placeholders of test/fuzz: tokens, keys and IDs that its requests contain. All of them are obtained over
// HTTP, as a client would.
const CREDIT = 50_000;
const CREDITS = 4;

async function call(url, body, token) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  });
  return response.json();
}

const tokenOf = async ({ baseUrl, clientId, apiSecret }, environment) =>
  (
    await call(`${baseUrl}/api/v1/auth/client-credentials`, {
      client_id: clientId,
      api_secret: apiSecret,
      environment,
    })
  ).token;

/** A node ID consists of three letters and the ID in the database. */
const rowOf = (nodeId = '') => nodeId.replace(/^[a-z]{3}_/, '');

export class Stage {
  values = new Map();
  #accounts;

  constructor(accounts, callbackSecrets) {
    this.#accounts = accounts;
    const { uat, production, uatOnly } = accounts;
    this.#set({
      callbackSecret: /roundpay:([^,]+)/.exec(callbackSecrets)?.[1],
      'clientId.uat': uat.clientId,
      'secret.uat': uat.apiSecret,
      'clientId.production': production.clientId,
      'secret.production': production.apiSecret,
      'clientId.victim': uatOnly.clientId,
    });
  }

  #set(values) {
    for (const [name, value] of Object.entries(values)) if (value) this.values.set(name, value);
  }

  #graphql(query, variables = {}) {
    return call(`${this.#accounts.console.baseUrl}/graphql`, { query, variables }, this.values.get('token.admin'));
  }

  /** Creates funds and records that requests can refer to, once. */
  async open() {
    await this.refresh();
    const found = await this.#graphql('{ developers(first: 20) { edges { node { id email } } } }');
    const idOf = (wanted) => found.data.developers.edges.find(({ node }) => node.email === wanted).node.id;
    const owner = idOf('developer@demo.example');
    this.#set({ 'developer.owner': rowOf(owner), 'developer.victim': rowOf(idOf('uat-only@demo.example')) });
    const credit = `mutation($input: CreditWalletInput!) { creditWallet(input: $input) { outcome { ... on ApprovalRequestCreated { approvalRequest { id } } } } }`;
    const input = { developerId: owner, environment: 'PRODUCTION', amount: CREDIT };
    for (let n = 0; n < CREDITS; n++)
      await this.#graphql(credit, {
        input: { ...input, reference: `record-${n}`, utr: `RECD${String(n).padStart(12, '0')}` },
      });
    const large = await this.#graphql(credit, {
      input: { ...input, amount: CREDIT * 2, reference: 'record-large', reason: 'Cash' },
    });
    const created = await this.#graphql(
      `mutation($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) { endpoint { id } } }`,
      { input: { developerId: owner, environment: 'UAT', url: 'https://hooks.test.example/record' } },
    );
    this.#set({
      approvalRequest: rowOf(large.data?.creditWallet?.outcome?.approvalRequest?.id),
      endpoint: rowOf(created.data?.createWebhookEndpoint?.endpoint.id),
    });
  }

  /** Creates new tokens and sessions after requests have ended some, and reads the last order of the owner. */
  async refresh() {
    const { uat, production, mokshiq, uatOnly, console: own } = this.#accounts;
    const keys = {
      'owner-uat': uat,
      'other-uat': uat,
      'garbled-uat': uat,
      'bare-uat': uatOnly,
      'owner-production': production,
    };
    Object.assign(keys, { 'garbled-production': production, 'other-production': mokshiq });
    for (const [name, account] of Object.entries(keys)) {
      const environment = name.split('-')[1];
      if (!(await this.#lives(account.baseUrl, name)))
        this.#set({ [`token.${name}`]: await tokenOf(account, environment) });
    }
    const people = { admin: own.admin, 'admin-2': own.secondAdmin, 'admin-3': own.admin, developer: own.developer };
    for (const [name, input] of Object.entries({
      ...people,
      'developer-2': own.developer,
      'developer-3': own.developer,
    })) {
      if (await this.#lives(own.baseUrl, name)) continue;
      const query = 'mutation($input: SignInInput!) { signIn(input: $input) { token } }';
      const { data } = await call(`${own.baseUrl}/graphql`, { query, variables: { input } });
      this.#set({ [`token.${name}`]: data?.signIn?.token });
    }
    const query = '{ orders(first: 20) { edges { node { id apiRequestId status } } } }';
    const { data } = await call(`${production.baseUrl}/graphql`, { query }, this.values.get('token.owner-production'));
    const orders = data?.orders?.edges.map(({ node }) => node) ?? [];
    const decided = orders.find(({ status }) => status === 'SUCCESS');
    this.#set({
      'order.id': rowOf(orders[0]?.id),
      'order.reference': orders[0]?.apiRequestId,
      'order.decided': rowOf(decided?.id),
    });
  }

  async #lives(baseUrl, name) {
    const token = this.values.get(`token.${name}`);
    if (!token) return false;
    const query = baseUrl === this.#accounts.console.baseUrl ? '{ viewer { user { id } } }' : '{ me { id } }';
    const { data } = await call(`${baseUrl}/graphql`, { query }, token);
    return data?.viewer !== null && data?.me !== null && data !== undefined && data !== null;
  }
}

// A recharge screen as a customer of the service writes it: lookups and waiting go to the API with a client token, money goes
// through the shop's own server.
const show = (id, text) => {
  document.getElementById(id).textContent = text;
};
const valueOf = (id) => document.getElementById(id).value;

const shop = async (path, body) => {
  const response = await fetch(path, body ? { method: 'POST', body: JSON.stringify(body) } : {});
  return response.json();
};

const { apiUrl, token } = await shop('/session');
async function api(query, variables, by = token) {
  const response = await fetch(`${apiUrl}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${by}` },
    body: JSON.stringify({ query, variables }),
  });
  return response.json();
}

// answers may come in another order than they were made: the wallet says which is newer
let shownVersion = -1;
function showWallet({ balance, version }) {
  if (version < shownVersion) return;
  shownVersion = version;
  show('balance', balance.toFixed(2));
}

async function showHistory() {
  const { wallet, orders } = await shop('/history');
  showWallet(wallet);
  const rows = orders.edges.map(({ node }) => {
    const row = document.createElement('tr');
    for (const text of [node.accountNumber, node.operator?.name, node.amount, node.status, node.decline?.reason])
      row.appendChild(document.createElement('td')).textContent = text ?? '';
    return row;
  });
  document.getElementById('history').replaceChildren(...rows);
}

const FIND = `query($mobile: String!, $key: String!) {
  operatorFind(input: { mobile: $mobile, clientRequestId: $key }) {
    operator { spKey } circle { name } fee
    plans { groups { name plans { price validity description } } }
  }
}`;

const onClick = (id, act) => document.getElementById(id).addEventListener('click', act);

onClick('find', async () => {
  const { data, errors } = await api(FIND, { mobile: valueOf('mobile'), key: crypto.randomUUID() });
  const found = data?.operatorFind;
  show('status', errors?.[0].message ?? '');
  show('circle', found?.circle?.name ?? '');
  show('price', found ? `Lookup: ₹${found.fee.toFixed(2)}` : '');
  if (found?.operator) document.getElementById('operator').value = found.operator.spKey;
  const plans = (found?.plans?.groups ?? []).flatMap(({ plans: of }) => of);
  const buttons = plans.map(({ price, validity, description }) => {
    const button = document.createElement('button');
    button.textContent = `₹${price} · ${validity} · ${description}`;
    button.addEventListener('click', () => {
      document.getElementById('amount').value = price;
    });
    return button;
  });
  document.getElementById('plans').replaceChildren(...buttons);
});

const WAIT = `query($id: ID!) { order(id: $id, waitMs: 25000) { status decline { reason message } } }`;

onClick('recharge', async () => {
  const placed = await shop('/recharge', {
    accountNumber: valueOf('mobile'),
    amount: Number(valueOf('amount')),
    operatorSpKey: Number(valueOf('operator')),
    clientRequestId: crypto.randomUUID(),
  });
  showWallet(placed.wallet);
  let { order } = placed;
  while (order.status === 'PENDING') {
    show('status', 'PENDING');
    const { data } = await api(WAIT, { id: placed.order.id }, placed.token);
    order = data.order;
  }
  show('status', [order.status, order.decline?.reason, order.decline?.message].filter(Boolean).join(': '));
  await showHistory();
});

const { data } = await api('{ operators(type: MOBILE) { spKey name } }');
document
  .getElementById('operator')
  .replaceChildren(...data.operators.map(({ spKey, name }) => new Option(name, spKey)));
await showHistory();
document.body.dataset.ready = 'true';

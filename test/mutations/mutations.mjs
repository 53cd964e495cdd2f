/**
 * What must not go unnoticed: one wrong place of the money path each, and the test files that must fail because of it.
 *
 * name    what the product would do wrong
 * file    where; `from` stands there exactly once, `to` takes its place
 */
const SQL = 'src/db/sql/repeatable';
const MODEL = ['test/model/pure.test.ts'];
const LEDGER = ['test/ledger/concurrency.test.ts', 'test/ledger/second-postings.test.ts'];
const PLACING = ['test/rest/recharge.test.ts', 'test/recharge/recharge-money.test.ts'];
const CLAIMS = ['test/recharge/send-claims.test.ts'];
const PAYING = ['test/card-bills/fetch-id.test.ts', 'test/card-bills/payment-money.test.ts'];

const states = (name, from, to, tests = MODEL) => ({ name, file: 'src/orders/states.ts', from, to, tests });
const roundpay = (name, file, from, to) => ({
  name: `RoundPay: ${name}`,
  file: `src/providers/roundpay/roundpay.${file}.ts`,
  from,
  to,
  tests: ['test/providers/roundpay.adapter.test.ts', 'test/providers/refused-enquiries.test.ts'],
});
const inspay = (name, from, to, file = 'mapping') => ({
  name: `Inspay: ${name}`,
  file: `src/providers/inspay/inspay.${file}.ts`,
  from,
  to,
  tests: ['test/providers/inspay.test.ts', 'test/providers/refused-enquiries.test.ts'],
});
const mokshiq = (name, from, to) => ({
  name: `Mokshiq: ${name}`,
  file: 'src/providers/mokshiq/mokshiq.answers.ts',
  from,
  to,
  tests: ['test/providers/mokshiq.adapter.test.ts'],
});
const people = (name, from, to, tests = ['test/console/proposals.test.ts']) => ({
  name: `Two people: ${name}`,
  file: 'src/proposals/proposal.service.ts',
  from,
  to,
  tests,
});
const early = (name, file, from, to) => ({
  name: `Too early: ${name}`,
  file: `src/${file}.ts`,
  from,
  to,
  tests: ['test/console/recent-sends.test.ts'],
});
const exchange = (name, from, to) => ({
  name,
  file: 'src/providers/http-exchange.ts',
  from,
  to,
  tests: ['test/providers/http-client.test.ts', 'test/providers/http-client-protection.test.ts'],
});
const hold = (name, from, to, tests = LEDGER) => ({ name, file: `${SQL}/ledger-hold.sql`, from, to, tests });
const resolve = (name, from, to, tests = LEDGER) => ({ name, file: `${SQL}/ledger-resolve.sql`, from, to, tests });
const enquiries = (name, from, to, tests) => ({ name, file: `${SQL}/order-enquiries.sql`, from, to, tests });
const correct = (name, from, to, tests = ['test/console/corrections.test.ts']) => ({
  name,
  file: `${SQL}/ledger-correct.sql`,
  from,
  to,
  tests,
});
const archive = (name, from, to, file = `${SQL}/ledger-leave.sql`) => ({
  name: `Archive: ${name}`,
  file,
  from,
  to,
  tests: ['test/ledger/archive.test.ts'],
});
const ARCHIVED = ['test/orders/archived-orders.test.ts'];
const correction = (name, from, to, file = 'ledger-reopen', tests = ['test/ledger/corrected-wallet.test.ts']) => ({
  name: `Correction of a wallet: ${name}`,
  file: `${SQL}/${file}.sql`,
  from,
  to,
  tests,
});
const post = (name, from, to, tests) => ({ name, file: `${SQL}/ledger-post.sql`, from, to, tests });

/** @type {readonly {name: string, file: string, from: string, to: string, tests: string[]}[]} */
export const mutations = [
  // the state machine
  states(
    'an unknown answer refunds a payment',
    "if (!isPayment(operation)) return { kind: 'refund' };",
    "return { kind: 'refund' };",
  ),
  states('a lookup without an answer keeps its fee', "if (!isPayment(operation)) return { kind: 'refund' };", ''),
  states('one "not found" is proof enough', 'circumstances.notFoundBefore >= 1', 'circumstances.notFoundBefore >= 0'),
  states('"not found" counts before the provider must know', ' && sentAgeMs >= policy.visibilityDelayMs', ''),
  states(
    '"not found" is final where the provider does not promise it',
    '!circumstances.notFoundIsFinal ||',
    'false ||',
  ),
  states(
    'the second "not found" waits for the next slot of the schedule',
    'soon(undecided(circumstances, policy), policy)',
    'undecided(circumstances, policy)',
    ['test/orders/next-step.test.ts'],
  ),
  states('nobody ever gives up', 'if (ageMs >= policy.giveUpAfterMs)', 'if (ageMs < 0)'),
  states(
    'a declined order is settled',
    "case 'declined':\n      return { kind: 'refund' };",
    "case 'declined':\n      return { kind: 'settle' };",
  ),
  states('a reversal needs no transaction', "answer === 'declined' && doubt.namesTransaction", "answer === 'declined'"),
  states('a doubt ends with the first success', 'const CONFIRMATIONS = 3;', 'const CONFIRMATIONS = 1;', [
    'test/orders/reversals.test.ts',
    ...MODEL,
  ]),

  // holds
  hold('a wallet pays more than it has', 'f.opening) >= f.amount as affordable', 'f.opening) >= 0 as affordable'),
  hold(
    'a wallet cannot pay its last rupee',
    'f.opening) >= f.amount as affordable',
    'f.opening) > f.amount as affordable',
    ['test/rest/recharge.test.ts', ...LEDGER],
  ),
  hold(
    'holds do not wait for each other',
    'order by x.developer_id, x.environment for no key update skip locked)',
    'order by x.developer_id, x.environment)',
  ),
  hold('a lookup is replayed for ever', "interval '10 minutes');", "interval '10 days');", [
    'test/plans/plan-repeats.test.ts',
  ]),
  hold('a repeated lookup is charged again at once', "interval '10 minutes');", "interval '0 minutes');", [
    'test/ledger/second-postings.test.ts',
  ]),
  hold('a batch knows no duplicates of its own', '(r.key is null or r.nth = 1) and', ''),
  hold('a key is not looked for', 'and k.client_key = r.key limit 1)', "and k.client_key = r.key || 'x' limit 1)"),
  hold(
    'a key of one environment is known in the other',
    'k.environment = r.env and k.operation = r.op and k.client_key = r.key limit 1',
    'k.operation = r.op and k.client_key = r.key limit 1',
    PLACING,
  ),

  hold(
    'a bill that is claimed is paid again',
    "and (op <> 'card_payment' or id in (select order_id from claimed))",
    '',
    PAYING,
  ),
  hold('nobody asks about a new order', 'from paid),\n  charged', 'from paid where false),\n  charged', LEDGER),

  // resolutions
  resolve(
    'a bill whose payment failed stays claimed',
    "using open_orders d where not d.ok and d.operation = 'card_payment'",
    'using open_orders d where false',
    PAYING,
  ),
  resolve(
    'a decided order stays in the queue of enquiries',
    'and q.order_id = d.id and not d.asked_again)',
    'and false)',
    ['test/orders/sweeper.test.ts', 'test/orders/recheck.test.ts'],
  ),
  resolve(
    'a failed payment is asked about again',
    "r.ok and o.operation in ('recharge', 'card_payment') and r.ask_again_ms",
    "o.operation in ('recharge', 'card_payment') and r.ask_again_ms",
    ['test/ledger/second-postings.test.ts'],
  ),
  resolve(
    'a decided order stays with people',
    'using open_orders d where v.order_id = d.id)',
    'using open_orders d where false and v.order_id = d.id)',
    ['test/orders/review.test.ts'],
  ),
  resolve(
    'a resolution forgets that the order was settled',
    'where o.settled_at is null order by r.dev, r.id, r.ord),',
    'order by r.dev, r.id, r.ord),',
  ),
  resolve(
    'a refund leaves the wallet as it is',
    'set balance_paise = x.balance_paise + b.total',
    'set balance_paise = x.balance_paise',
  ),
  resolve(
    'a failed lookup keeps its key',
    "using open_orders d where not d.ok and d.operation in ('lookup', 'card_bill')",
    'using open_orders d where false',
    ['test/plans/plan-fees.test.ts', 'test/plans/plan-repeats.test.ts'],
  ),
  resolve(
    'no webhook gets an outcome',
    "d.operation in ('recharge', 'card_payment') and exists",
    "d.operation = 'lookup' and exists",
    ['test/webhooks/webhooks.test.ts'],
  ),
  resolve(
    'a lookup is reversed',
    "if o.state <> 'success' or o.operation not in ('recharge', 'card_payment') then",
    "if o.state <> 'success' then",
  ),
  resolve(
    'an answer that may be older than a decision of people reverses it',
    'c.at is not null and p_asked_at > c.at and',
    '',
    ['test/console/corrections.test.ts'],
  ),
  resolve(
    'a provider that changes its word to and fro reverses what people decided',
    "and not exists (select from word w where w.reason = 'provider_failure' and w.at < c.at)",
    '',
    ['test/console/corrections.test.ts'],
  ),
  resolve(
    'an answer counts as newer than a decision because it was written down later',
    'w.asked_at > d.at',
    'w.at > d.at',
    ['test/console/corrections.test.ts'],
  ),
  resolve('a reversal pays twice', "if o.reversed_at is not null then return 'already'; end if;", '', [
    'test/orders/reversals.test.ts',
    'test/ledger/hostile-sql.test.ts',
  ]),

  // corrections
  correct(
    'no webhook gets a reversal',
    'v_event = any(e.types)));\n  return w.version;',
    'v_event = any(e.types)) and false);\n  return w.version;',
    ['test/webhooks/webhooks.test.ts'],
  ),
  correct(
    'a payment is charged again that the wallet cannot pay',
    "if p_kind = 'charge_again' and v_balance < o.amount_paise then",
    'if false then',
  ),
  correct(
    'a payment that nobody gave back is charged again',
    "if p_kind = 'charge_again' and not (o.state = 'failed' or o.reversed_at is not null) then",
    'if false then',
    ['test/ledger/second-postings.test.ts'],
  ),
  correct(
    'a payment that is charged again leaves its bill to others',
    "if o.operation = 'card_payment' and o.state = 'failed' then\n    insert",
    'if false then\n    insert',
    ['test/ledger/second-postings.test.ts'],
  ),
  correct(
    'a success is taken back twice',
    "if p_kind = 'reversal' and not (o.state = 'success' and o.reversed_at is null) then",
    'if false then',
    ['test/ledger/second-postings.test.ts'],
  ),
  correct(
    'a correction commits without an audit entry',
    "insert into correction (posting_id, subject, amount_paise) values (p_posting, format('order:%s', p_id), o.amount_paise);",
    '',
    ['test/ledger/top-up-trail.test.ts'],
  ),
  {
    name: 'one person takes real money back',
    file: 'src/decisions/correction.decision.ts',
    from: "alone: ({ order }) => order.environment === 'uat',",
    to: 'alone: () => true,',
    tests: ['test/console/corrections.test.ts'],
  },
  {
    name: 'one person debits real money',
    file: 'src/decisions/wallet.decisions.ts',
    from: "alone: ({ environment }) => environment === 'uat',",
    to: 'alone: () => true,',
    tests: ['test/console/corrections.test.ts'],
  },

  // enquiries, callbacks
  enquiries(
    'an order that was given back as never sent is sent',
    "and (o.send_claimed_at is null or (not p_send and o.send_claimed_at = '-infinity'))",
    "and (p_send or o.send_claimed_at is null or o.send_claimed_at = '-infinity')",
    CLAIMS,
  ),
  enquiries(
    'an order that was sent is given back as never sent',
    "and (o.send_claimed_at is null or (not p_send and o.send_claimed_at = '-infinity'))",
    'and (not p_send or o.send_claimed_at is null)',
    CLAIMS,
  ),
  enquiries(
    'a sweeper that died after its claim leaves the order to a person',
    "and (o.send_claimed_at is null or (not p_send and o.send_claimed_at = '-infinity'))",
    'and o.send_claimed_at is null',
    CLAIMS,
  ),
  enquiries('a decided order is asked about', "and x.state in ('open', 'review') returning", 'returning', LEDGER),
  enquiries(
    'two sweepers take one order',
    'where q.developer_id = d.developer_id and q.order_id = d.id and q.due_at <= now() returning',
    'where q.developer_id = d.developer_id and q.order_id = d.id returning',
    ['test/orders/leasing.test.ts'],
  ),
  enquiries(
    'a callback touches an order that is being sent',
    "if (o.state = 'open' and o.unknown_since is not null) or",
    "if o.state = 'open' or",
    ['test/orders/callbacks.test.ts'],
  ),
  enquiries(
    'a callback floods the disk',
    "and e.kind = 'callback') < p_keep then",
    "and e.kind = 'callback') >= 0 then",
    ['test/orders/callbacks.test.ts'],
  ),
  enquiries(
    'a callback with a word that nobody lists starts no enquiry about a success',
    "p_says in ('failure', 'unexpected')",
    "p_says = 'failure'",
    ['test/orders/callbacks.test.ts'],
  ),
  enquiries(
    "a callback about another provider's order is taken",
    'where r.reference = p_reference and x.provider = p_provider for',
    'where r.reference = p_reference for',
    ['test/orders/callbacks.test.ts'],
  ),

  // postings without an order
  {
    name: 'a bank transfer is shared by a proposal about another one',
    file: `${SQL}/bank-transfers.sql`,
    from: "and p.payload ->> 'utr' = p_utr and",
    to: 'and',
    tests: ['test/console/money.test.ts'],
  },
  {
    name: 'the reference of a credit is folded by the locale of the database',
    file: `${SQL}/bank-transfers.sql`,
    from: 'normalize(p_reference, NFKC) collate "C"',
    to: 'normalize(p_reference, NFKC)',
    tests: ['test/console/money.test.ts'],
  },
  {
    name: 'a credit that is sent again with another bank transfer is replayed',
    file: 'src/decisions/wallet.decisions.ts',
    from: 'if (utr !== transferOf(credit)) throw otherUtr();',
    to: '',
    tests: ['test/console/money.test.ts'],
  },
  {
    name: 'keys of lookups are forgotten in any order',
    file: `${SQL}/lookups.sql`,
    from: 'where o.client_key is not null order by 1, 2, 3, 4) r',
    to: 'where o.client_key is not null) r',
    tests: LEDGER,
  },
  post('a reference in capitals is another one', 'else reference_key(p_reference) end', 'else p_reference end', [
    'test/console/money.test.ts',
  ]),
  {
    name: 'a bank transfer is credited to two wallets',
    file: `${SQL}/bank-transfers.sql`,
    from: 'return query select b.developer_id, b.posting_id from bank_transfer b where b.utr = p_utr and b.shared_by is null;',
    to: 'return;',
    tests: ['test/console/money.test.ts'],
  },
  post(
    'a credit is posted twice',
    'or exists (select from ledger_reference r',
    'or false and exists (select from ledger_reference r',
    ['test/ledger/second-postings.test.ts'],
  ),
  post('a lead fee overdraws', 'if w.balance_paise + v_change < 0 then', 'if false then', [
    'test/leads/lead-fee.test.ts',
    'test/ledger/concurrency.test.ts',
  ]),
  post('money enters without an audit entry', "if p_kind = 'top_up' then", "if p_kind = 'none' then", [
    'test/ledger/top-up-trail.test.ts',
  ]),

  // old months
  {
    ...archive(
      'a reversed payment ends as a success',
      "case when o.reversed_at is null then o.state else 'reversed' end",
      'o.state',
    ),
    tests: ARCHIVED,
  },
  {
    name: 'Archive: a refusal is a verdict about the archived payment of the key',
    file: 'src/orders/repetition.ts',
    from: 'throw archived ? keyArchived({ operation, clientKey }, archived) : error;',
    to: 'throw error;',
    tests: ARCHIVED,
  },
  {
    name: 'Archive: anybody hears how an archived payment ended',
    file: 'src/orders/archived-orders.ts',
    from: 'if (!archived || !maySee(archived)) return',
    to: 'if (!archived) return',
    tests: ARCHIVED,
  },
  // a wallet whose balance changed without a transfer
  correction(
    'the application may post it',
    'grant execute on function wallet_difference to gateway_app;',
    'grant execute on function wallet_difference, ledger_reopen to gateway_app; grant insert, update on wallet_correction, wallet_reopening, transfer, wallet, ledger_reference, correction, wallet_checkpoint, ledger_full_check to gateway_app; grant update on ledger_checkpoint to gateway_app; grant delete on ledger_full_finding to gateway_app;',
    undefined,
    ['test/ledger/hostile-sql.test.ts'],
  ),
  correction('nobody approved it', "when p.decision is distinct from 'carried_out'", 'when false'),
  correction(
    'is posted twice',
    'when exists (select from wallet_correction c where c.proposal_id = p.id)',
    'when false',
  ),
  correction(
    'another difference than the approved one',
    "when d.steps is distinct from p.payload -> 'steps'",
    'when false',
  ),
  correction('of a wallet with missing entries', 'when not d.is_whole', 'when false'),
  correction(
    'is posted while all the books are checked',
    'if not pg_try_advisory_xact_lock(7401255) then',
    'if false then',
  ),
  correction('leaves the finding of the weekly check', "and f.detail like v_environment || ':%'", 'and false'),
  correction(
    'a checkpoint holds what an opening record says',
    't.wallet_version = c.version), c.balance_paise)',
    't.wallet_version = c.version and false), c.balance_paise)',
  ),
  correction(
    'a credit is not counted in days',
    "in ('top_up', 'refund', 'reversal', 'correction')",
    "in ('top_up', 'refund', 'reversal')",
    'ledger-boundaries',
  ),
  correction('a debit is a credit of its day', "and x.operation <> 'correction_out' and", 'and', 'ledger-boundaries'),
  correction('days do not know what it reverses', 'and g.change_paise > 0', 'and false', 'ledger-boundaries'),
  correction(
    'the archive does not know opening records',
    ' + reopened(p_developer, p_environment, r.version, p_to)',
    '',
    'ledger-leave',
  ),
  correction(
    'the weekly check loses opening records between its parts',
    ' + reopened(c.developer_id, c.part, c.version, v_version)',
    '',
    'ledger-full-check',
  ),
  correction(
    'a wallet is found in each part',
    "split_part(x.detail, ':', 1) = split_part(f.detail, ':', 1)",
    'false',
    'ledger-full-check',
  ),
  correction(
    'an opening record may say anything',
    'where o.change <> c.stored_paise - c.computed_paise',
    'where false',
    'ledger-check',
  ),
  correction(
    'a later line of a wrong wallet is a violation of its own',
    'where x.version is not null or w.balance_paise - s.total <> x.last_by',
    'where x.version is not null or w.balance_paise <> s.total',
    'ledger-check',
  ),
  archive('an open order leaves', "when o.state = 'open' then 'open'", "when false then 'open'"),
  archive(
    'what left before on the same day is forgotten',
    'set amount_paise = archived_total.amount_paise + excluded.amount_paise',
    'set amount_paise = excluded.amount_paise',
  ),
  archive('an opening line forgets what left', 'r.left_paise := r.left_paise + v_moved', 'r.left_paise := v_moved'),
  archive('what nobody checked leaves', 'is not false then', 'is null then'),
  archive('what is in no file leaves', 'if v_alone is not null then', 'if false then'),
  archive(
    'a damaged file is good enough to delete by',
    'if (!(await sha256Of(file)).equals(expected.sha256) || !sameCounts(await countFile(file), expected))',
    'if (file === expected.id)',
    'src/archive/archive-run.ts',
  ),

  // statements
  {
    name: 'a page of a statement repeats the last line of the page before',
    file: 'src/ledger/statement.service.ts',
    from: 'wallet_version < k.below and',
    to: 'wallet_version <= k.below and',
    tests: ['test/ledger/statement.test.ts'],
  },
  {
    name: 'a day loses the line of its first instant',
    file: `${SQL}/ledger-boundaries.sql`,
    from: 'x.created_at >= n.instant',
    to: 'x.created_at > n.instant',
    tests: ['test/ledger/statement.test.ts'],
  },

  // fees of lookups, and what client tokens may spend
  {
    name: 'a fee that may have been kept is given back to the cap of a client token',
    file: 'src/orders/charged-lookup.ts',
    from: 'if (error instanceof AppError && !error.charged)',
    to: 'if (error instanceof AppError)',
    tests: ['test/orders/lookup-window.test.ts'],
  },
  {
    name: 'an answer for nothing counts against the cap of a client token',
    file: 'src/orders/charged-lookup.ts',
    from: 'if (answer.replayed) await',
    to: 'if (!answer) await',
    tests: ['test/graphql/client-tokens.test.ts'],
  },
  {
    name: 'a client token spends one fee more than its cap',
    file: 'src/accounts/keys/client-token.service.ts',
    from: 'and spent_paise + $2 <= max_spend_paise',
    to: 'and spent_paise <= max_spend_paise',
    tests: ['test/graphql/client-tokens.test.ts'],
  },
  {
    name: 'a lookup in UAT has a fee',
    file: 'src/core/principal.ts',
    from: "principal.environment === 'uat' ? (0n as Paise) : (",
    to: '(',
    tests: ['test/plans/plan-bodies.test.ts'],
  },
  {
    name: 'an old lookup takes the key of a later one with it',
    file: `${SQL}/lookups.sql`,
    from: 'k.client_key = o.client_key and k.order_id = o.id;',
    to: 'k.client_key = o.client_key;',
    tests: ['test/plans/plan-repeats.test.ts'],
  },

  // leads
  {
    name: 'a lead costs its fee with every approval',
    file: 'src/leads/lead-status.service.ts',
    from: "status === 'approved' && !lead.approvedAt",
    to: "status === 'approved'",
    tests: ['test/leads/lead-fee.test.ts'],
  },
  {
    name: 'an approval is stored although its fee was not paid',
    file: 'src/leads/lead-status.service.ts',
    from: 'throw insufficientBalance(amountPaise, wallet.balancePaise);',
    to: 'return { feePaise: ZERO };',
    tests: ['test/leads/lead-fee.test.ts'],
  },

  // card bills
  {
    name: 'a bill is paid as often as one likes',
    file: 'src/card-bills/bill-payment.service.ts',
    from: 'const identityOf = ({ fetchId }: PayCardBillInput): object => ({ fetchId });',
    to: 'const identityOf = ({ fetchId, clientRequestId: key }: PayCardBillInput): object => ({ fetchId, key });',
    tests: PAYING,
  },
  {
    name: 'an expired bill is paid',
    file: 'src/card-bills/fetched-bill.store.ts',
    from: "b.fetched_at <= now() - interval '24 hours'",
    to: "b.fetched_at <= now() - interval '24 years'",
    tests: PAYING,
  },
  {
    name: "a bill is paid by somebody else's card",
    file: 'src/card-bills/fetched-bill.store.ts',
    from: 'JSON.stringify([card, mobile, opcode])',
    to: 'JSON.stringify([mobile, opcode])',
    tests: PAYING,
  },
  {
    name: 'a bill of one environment is paid in the other',
    file: 'src/card-bills/fetched-bill.store.ts',
    from: 'b.id = $2 and b.environment = $3 and b.owner_hash',
    to: "b.id = $2 and $3 <> '' and b.owner_hash",
    tests: PAYING,
  },

  // what a call to a provider proves
  exchange(
    'a lost connection proves that nothing was sent',
    ": this.#unknown('connection_lost');",
    ": this.#neverSent('never_sent');",
  ),
  exchange('a deadline proves that nothing was sent', "this.#unknown('timeout');", "this.#neverSent('never_sent');"),
  exchange(
    'a request is written after its deadline',
    "if (this.#phase !== 'connecting') {",
    "if (this.#phase === 'sent') {",
  ),
  {
    name: 'an answer of HTTP 5xx is believed',
    file: 'src/providers/verdict.ts',
    from: "answer.httpStatus >= 500 ? verdict.unknown('http_error') : judge(answer.body, verdict)",
    to: 'judge(answer.body, verdict)',
    tests: ['test/providers/verdict.test.ts', 'test/providers/roundpay.adapter.test.ts'],
  },
  {
    name: 'a success with HTTP 4xx is believed',
    file: 'src/providers/verdict.ts',
    from: "if (!this.#isSuccessful) return this.unknown('http_error', said);",
    to: '',
    tests: ['test/providers/verdict.test.ts', 'test/providers/roundpay.adapter.test.ts'],
  },
  {
    name: 'an enquiry that never left is a decline',
    file: 'src/providers/verdict.ts',
    from: "if (answer.kind === 'never_sent') return { kind: 'unknown', evidence: answer.evidence };",
    to: "if (answer.kind === 'never_sent') return { kind: 'declined', evidence: answer.evidence };",
    tests: ['test/providers/verdict.test.ts', 'test/providers/roundpay.adapter.test.ts'],
  },
  {
    name: 'a decline that names another transaction proves a reversal',
    file: 'src/enquiries/reversals.ts',
    from: 'named === order.providerTxnId',
    to: 'true',
    tests: ['test/orders/refused-questions.test.ts'],
  },
  early(
    'a person gives back what was sent just now',
    'decisions/review.decision',
    'if (leftMs !== undefined && !allowRecentSend) throw sentRecently(leftMs);',
    '',
  ),
  early(
    'a list gives back what was sent just now',
    'decisions/bulk-decision.service',
    'allowRecentSend || !recent.has(id)',
    'true',
  ),
  early(
    'a proposed list gives back what was sent just now',
    'decisions/bulk-decision.service',
    'if (recent.size > 0 && !allowRecentSend) throw',
    'if (false) throw',
  ),
  early(
    'a payment that was just sent is as good as shown',
    'orders/states',
    'Math.max(0, visibilityDelayMs - (sentAgeMs ?? 0))',
    '0',
  ),
  roundpay(
    "another order's answer is taken",
    'answers',
    'if (!mayBeAccount(answer.account, order.accountNumber)) return true;',
    '',
  ),
  roundpay(
    "another reference's answer is taken",
    'answers',
    "if (answer.agentid !== '') return !sameReference(answer.agentid, order.reference);",
    '',
  ),
  roundpay(
    'another amount is taken',
    'answers',
    "answer.amount === '' || isSameAmount(answer.amount, order.amountPaise)",
    "answer.amount !== 'x'",
  ),
  roundpay('a refused status call is a failure', 'answers', "(code === '' && showsTransaction)", 'showsTransaction'),
  roundpay('a failure that names nothing refunds', 'answers', "(code === '' && showsTransaction)", "code === ''"),
  roundpay(
    'an echo of the question shows a transaction',
    'answers',
    'namesTransaction(parsed, order) && showsMoreThanAsked(parsed, order)',
    'namesTransaction(parsed, order)',
  ),
  roundpay('a repeated reference is a decline', 'answers', ' || more.isRepeated', ''),
  roundpay(
    'any failure of a recharge is a decline',
    'answers',
    "code === ANY_FAILURE && !more.namesTransaction ? 'unexpected' : 'failure'",
    "'failure'",
  ),
  roundpay(
    'a pending status with a rejection is a failure of the recharge',
    'answers',
    "return rejections.has(code) ? 'unexpected' : 'pending';",
    "return rejections.has(code) ? 'failure' : 'pending';",
  ),
  inspay("another order's answer is taken", "orderid !== '' && orderid !== reference;", 'false;'),
  inspay(
    'another amount is taken',
    'return isOurAmount ? verdict.accepted(details.receipt, said)',
    'return true ? verdict.accepted(details.receipt, said)',
  ),
  inspay(
    'a failed enquiry without a reference refunds',
    "if (head.orderid === '' || !isHttpSuccess(answer)) return verdict.unexpected(said);",
    'if (!isHttpSuccess(answer)) return verdict.unexpected(said);',
  ),
  inspay(
    'a failed enquiry that was refused refunds',
    "if (head.orderid === '' || !isHttpSuccess(answer)) return verdict.unexpected(said);",
    "if (head.orderid === '') return verdict.unexpected(said);",
  ),
  inspay(
    'a failed enquiry without a transaction refunds',
    'head.txid === undefined || head.error_code',
    'head.error_code',
  ),
  inspay('a failed enquiry with a code refunds', ' || head.error_code !== undefined', ''),
  inspay(
    'a repeated reference is a decline',
    "statusWords.get(head.status) === 'failure' && saysRepeated",
    'false && saysRepeated',
  ),
  inspay('"not found" is final', 'notFoundIsFinal: false', 'notFoundIsFinal: true', 'adapter'),
  mokshiq(
    "another number's answer is taken",
    "if (!mayBeAccount(parsed.number, order.accountNumber)) return verdict.unknown('reference_mismatch', said);",
    '',
  ),
  mokshiq(
    'another amount is taken',
    "parsed.amount === '' || isSameAmount(parsed.amount, order.amountPaise)",
    "parsed.amount !== 'x'",
  ),

  // placing
  {
    name: 'a hold that took longer than its lease is sent',
    file: 'src/orders/placing.ts',
    from: 'timeLimit(this.options.sendLeaseMs)',
    to: 'timeLimit(Number.POSITIVE_INFINITY)',
    tests: ['test/faults/hold-in-doubt.test.ts'],
  },
  {
    name: 'the pause of a machine does not count against the lease',
    file: 'src/core/clock.ts',
    from: 'Math.max(performance.now() - startedAt, Date.now() - startedAtMs)',
    to: 'performance.now() - startedAt + 0 * startedAtMs',
    tests: ['test/core/elapsed.test.ts'],
  },
  exchange('a request is written although its lease ended while it was connecting', ' || this.permit?.isOver())', ')'),
  {
    name: 'a claim is not looked at again before the send',
    file: 'src/orders/outcomes.ts',
    from: 'return { isOver, isStillClaimed: () => enquiryStore.isStillClaimed(order) };',
    to: 'return { isOver };',
    tests: CLAIMS,
  },
  enquiries(
    '"not found" counts although the send was answered after the first enquiry',
    'case when p_enquiry then coalesce(x.unknown_since, now()) else now() end',
    'coalesce(x.unknown_since, now())',
    ['test/orders/clocks.test.ts'],
  ),
  {
    name: 'a repetition is answered with an order of the other environment',
    file: 'src/orders/order.store.ts',
    from: 'where x.developer_id = wanted.developer and x.environment = wanted.in_environment',
    to: 'where x.developer_id = wanted.developer and wanted.in_environment is not null',
    tests: ['test/recharge/known-keys.test.ts'],
  },
  {
    name: 'a key is answered whatever recharge the repetition says',
    file: 'src/recharge/recharge.service.ts',
    from: 'return isSameRecharge({',
    to: 'return true || isSameRecharge({',
    tests: ['test/rest/recharge.test.ts', 'test/recharge/recharge-identity.test.ts'],
  },
  {
    name: 'a refused repetition is not answered with its order',
    file: 'src/graphql/schema/known-keys.ts',
    from: 'if (!(result instanceof Error)) return result;',
    to: 'if (!(result instanceof Error)) return result; else throw result;',
    tests: ['test/recharge/known-keys.test.ts', 'test/graphql/known-keys.test.ts'],
  },
  {
    name: 'a refusal for the rate limit calls the recharge failed',
    file: 'src/core/error-catalogue.ts',
    from: "onRecharge: 'error',\n    message: 'Too many requests",
    to: "onRecharge: 'failed',\n    message: 'Too many requests",
    tests: ['test/contract/errors.test.ts'],
  },
  {
    name: 'a hold in doubt is not given back',
    file: 'src/orders/placing.ts',
    from: 'if (error instanceof PostedInDoubt) {',
    to: 'if (false) {',
    tests: ['test/faults/hold-in-doubt.test.ts'],
  },
  {
    name: 'the queue of postings forgets that one may be committed',
    file: 'src/ledger/posting-batcher.ts',
    from: "if (trouble === 'doubt') for",
    to: 'if (false) for',
    tests: ['test/ledger/posting-batcher.test.ts', 'test/faults/hold-in-doubt.test.ts'],
  },

  {
    name: 'a key whose order was lost makes another reference',
    file: 'src/orders/order.store.ts',
    from: 'if (clientKey === null || !isPayment(operation))',
    to: 'if (isPayment(operation) || true)',
    tests: ['test/recharge/lost-orders.test.ts'],
  },
  {
    name: 'both environments send one reference for a key',
    file: 'src/orders/order.store.ts',
    from: 'JSON.stringify([developerId, environment, operation, clientKey])',
    to: 'JSON.stringify([developerId, operation, clientKey])',
    tests: ['test/recharge/lost-orders.test.ts'],
  },
  {
    name: 'a service on hold places orders',
    file: 'src/orders/placing.ts',
    from: 'if (this.options.hold) throw',
    to: 'if (!this.options) throw',
    tests: ['test/faults/restore.full.ts'],
  },
  {
    name: 'staff hold orders and they are placed',
    file: 'src/orders/placing.ts',
    from: 'holdOf(principal.environment);',
    to: "holdOf('uat' as typeof principal.environment);",
    tests: ['test/console/order-hold.test.ts'],
  },
  {
    name: 'one person takes held orders again',
    file: 'src/accounts/developers/switch.decisions.ts',
    from: 'isSmall: ({ after }) => after.held === true,',
    to: 'isSmall: ({ after }) => after.held !== null,',
    tests: ['test/console/order-hold.test.ts'],
  },
  {
    name: 'a provider with too much undecided gets new payments',
    file: 'src/orders/placing.ts',
    from: 'if (isPayment(operation) && this.options.exposure?.isReached(provider))',
    to: 'if (isPayment(operation) && !this.options)',
    tests: ['test/orders/exposure.test.ts'],
  },
  {
    name: 'a lookup that is said to have failed is charged later',
    file: 'src/orders/charged-lookup.ts',
    from: "first.status === 'pending' ? await",
    to: "first.status === 'reversed' ? await",
    tests: ['test/orders/lookup-window.test.ts'],
  },
  {
    name: 'a locked wallet delays all others',
    file: 'src/ledger/postings.ts',
    from: 'batch.map((hold) => hold.leaseMs),\n      SKIP_LOCKED,',
    to: 'batch.map((hold) => hold.leaseMs),\n      false,',
    tests: ['test/ledger/busy-wallet.test.ts'],
  },
  {
    name: 'a wallet that stays locked makes its calls wait for ever',
    file: 'src/ledger/posting-batcher.ts',
    from: 'if (failure) waiting.reject(failure);\n        return !failure;',
    to: 'return true;',
    tests: ['test/ledger/posting-batcher.test.ts'],
  },
  {
    name: 'what joined a locked wallet is forgotten when the wallet is free',
    file: 'src/ledger/posting-batcher.ts',
    from: 'this.#queue = lane.waiting.concat(this.#queue);',
    to: '',
    tests: ['test/ledger/posting-batcher.test.ts', 'test/ledger/busy-wallet.test.ts'],
  },
  {
    name: 'an outcome that the database does not take at once is lost',
    file: 'src/orders/unstored-outcomes.ts',
    from: "if (!onRetry(error)) throw new OutcomeNotStored('too many outcomes are kept', error);",
    to: "onRetry(error);\n          throw new OutcomeNotStored('too many outcomes are kept', error);",
    tests: ['test/faults/unstored-outcomes.test.ts'],
  },
  {
    name: 'outcomes are kept without a limit',
    file: 'src/orders/unstored-outcomes.ts',
    from: 'mayBeKept: this.#outcomes <= this.limits.outcomes && this.#bytes <= this.limits.bytes',
    to: 'mayBeKept: true',
    tests: ['test/faults/unstored-outcomes.test.ts'],
  },
  {
    name: 'a late answer to an order in review is not added to its evidence',
    file: 'src/db/sql/repeatable/order-enquiries.sql',
    from: "and x.state in ('open', 'review') returning * into o;",
    to: "and (x.state = 'open' or (x.state = 'review' and p_enquiry)) returning * into o;",
    tests: ['test/faults/unstored-outcomes.test.ts'],
  },

  // people
  people('who proposed also approves', 'if (proposal.proposedBy === by.userId)', 'if (false)'),
  people('what somebody proposed who may decide no more is carried out', 'if (!proposal.proposerActive)', 'if (false)'),
  {
    name: 'who may decide about money no more carries a proposal out',
    file: 'src/proposals/proposal.service.ts',
    from: 'if (!(await proposals.decidesNow(by.userId, proposal, tx)))',
    to: 'if (false)',
    tests: ['test/accounts/people.test.ts'],
  },
  {
    name: 'the author of a proposal changes while it is carried out',
    file: 'src/proposals/proposal.store.ts',
    from: 'for no key update of p for share of u`',
    to: 'for no key update of p`',
    tests: ['test/accounts/people.test.ts'],
  },
  {
    name: 'a link of somebody who lost the right to invite is good',
    file: 'src/accounts/people/user.service.ts',
    from: 'if (!invites(user)) await voidInvitations(id, tx);',
    to: '',
    tests: ['test/accounts/people.test.ts'],
  },
  people('what was refused is carried out', "if (proposal.decision === 'refused') throw", 'if (false) throw'),
  people('what has expired is carried out', 'if (proposal.expired) throw', 'if (false) throw'),
  people(
    'two people at once carry out the same proposal',
    '? await this.parts.proposals.lock(id, tx)',
    '? await this.parts.proposals.find(id)',
  ),
  people(
    'a proposal that was carried out goes on waiting',
    "await proposals.decide(id, 'carried_out', by.userId, tx);",
    '',
  ),
  people('one person decides whatever it is', 'if (await decision.alone(about, by, tx))', 'if (true)'),
  people('what waits is proposed once more', 'if (waiting || earlier)', 'if (earlier)'),
  people('what was done is decided once more', 'if (waiting || earlier)', 'if (waiting)'),
  people('what waits is not compared with what is asked', '(held, waiting, tx)', '(held, undefined, tx)'),
  people(
    'nobody looks whether it may be done or proposed',
    'decision.examine ? await decision.examine(held, tx) : held',
    'held',
    ['test/console/money.test.ts'],
  ),
  people('an order waits for two opposite decisions', 'if (opposite) await', 'if (false) await', [
    'test/orders/review.test.ts',
  ]),
  {
    name: 'two people at once decide the same order',
    file: 'src/decisions/locked-order.ts',
    from: 'from order_lock(${orderId}::uuid)`',
    to: 'from orders where id = ${orderId}::uuid`',
    tests: ['test/orders/review.test.ts'],
  },
  {
    name: 'two people at once credit the same reference',
    file: 'src/decisions/wallet.decisions.ts',
    from: 'requireOpen(await lockOwner(credit, tx));',
    to: '',
    tests: ['test/console/proposals.test.ts'],
  },
  {
    name: 'one person credits any amount',
    file: 'src/decisions/alone-allowance.ts',
    from: 'if (amountPaise > atOncePaise || amountPaise > perDayPaise) return false;',
    to: 'return true;',
    tests: ['test/console/proposals.test.ts'],
  },

  // time
  {
    name: 'an order is older than it is: there is no visibility delay',
    file: 'src/orders/outcomes.ts',
    from: 'const sentAgeMs = await this.#trustedAge(outcome.kind, order.sentAgeMs);',
    to: 'const sentAgeMs = (order.sentAgeMs ?? 0) + 1_200_000;',
    tests: ['test/orders/clocks.test.ts'],
  },
  {
    name: 'the age of an order is measured by two clocks',
    file: 'src/orders/stored-order.ts',
    from: 'sentAgeMs: row.sent_age_ms,',
    to: 'sentAgeMs: row.unknown_since && Date.now() - Date.parse(row.unknown_since),',
    tests: ['test/orders/clocks.test.ts'],
  },
  hold(
    'an order is as old as the process that placed it believes',
    'operator_sp_key)\n    select dev, id, reference, env, op, key, fingerprint, amount, provider, request, account, sp_key\n',
    'operator_sp_key, created_at)\n    select dev, id, reference, env, op, key, fingerprint, amount, provider, request, account, sp_key, uuid_extract_timestamp(id)\n',
    ['test/orders/clocks.test.ts'],
  ),
  {
    name: 'RoundPay is asked for the day of the placing alone',
    file: 'src/providers/roundpay/roundpay.adapter.ts',
    from: 'days.slice(0, MAX_DAYS)',
    to: 'days.slice(0, 1)',
    tests: ['test/orders/clocks.test.ts'],
  },
  {
    name: '"not found" of one day is enough',
    file: 'src/providers/roundpay/roundpay.adapter.ts',
    from: 'if (unknown) return unknown;',
    to: '',
    tests: ['test/providers/roundpay.days.test.ts'],
  },
  {
    name: 'a process whose clock is wrong asks about orders',
    file: 'src/enquiries/enquiries.room.ts',
    from: 'mayAsk: () => clock.isRight(),',
    to: 'mayAsk: async () => true,',
    tests: ['test/http/wrong-clock.test.ts'],
  },

  // successes that are checked again
  states('a settled payment is not asked about again', 'recheckAfterMs > 0 ? recheckAfterMs : null', 'null'),
  states('checking again asks three times', 'doubt.routine || ', '', ['test/orders/recheck.test.ts']),
  resolve(
    'the settlement does not say when to ask again',
    'from open_orders d where d.asked_again\n',
    'from open_orders d where false\n',
    ['test/orders/recheck.test.ts'],
  ),
  enquiries(
    'a second callback during an enquiry about a success is forgotten',
    'when p_over and x.asked = p_asked then null',
    'when p_over then null',
    ['test/orders/leasing.test.ts'],
  ),
  enquiries('a doubt never ends', 'when p_over and x.asked = p_asked then null', 'when false then null', [
    'test/orders/recheck.test.ts',
  ]),

  // the sandbox
  {
    name: 'two orders take one scenario',
    file: 'src/db/sql/repeatable/sandbox.sql',
    from: 'order by x.by_key desc limit 1 for update skip locked;',
    to: 'order by x.by_key desc limit 1;',
    tests: ['test/sandbox/scenario-taking.test.ts'],
  },
  {
    name: 'an order forgets the scenario that it took',
    file: 'src/providers/sandbox/chosen-scripts.ts',
    from: 'return paymentOf(await this.scenarios?.ofOrder(reference), account);',
    to: 'return paymentOf(undefined, account);',
    tests: ['test/sandbox/scenario-money.test.ts'],
  },
  {
    name: 'play money is refilled without end',
    file: 'src/sandbox/refill.service.ts',
    from: 'const reference = references.find((one) => !taken.has(one));',
    to: 'const reference = `Refill ${Math.random()}`;',
    tests: ['test/sandbox/refill.test.ts'],
  },

  // comparison with the provider's books
  {
    name: 'a payment that nobody can ask about is sent without a claim',
    file: 'src/orders/outcomes.ts',
    from: 'return isPayment(operation) && !this.parts.enquiries.of(operation, provider)?.canEnquire;',
    to: 'return false;',
    tests: CLAIMS,
  },
  {
    name: 'the timeline shows a status check at a provider that has none',
    file: 'src/orders/outcomes.ts',
    from: "source === 'enquiry' ? ('enquiry' as const) : ('answer' as const)",
    to: "source !== 'answer' ? ('enquiry' as const) : ('answer' as const)",
    tests: ['test/model/state-machine.test.ts'],
  },
  enquiries(
    'a response without an outcome is lost when it arrives during the review',
    "and x.state in ('open', 'review') returning",
    "and (x.state = 'open' or x.state = 'review' and p_enquiry) returning",
    ['test/model/state-machine.test.ts'],
  ),
  enquiries(
    'each hourly check counts an order in review again',
    "case v_before when 'review' then 'in_review' else o.state end",
    'o.state',
    ['test/orders/sweeper.test.ts'],
  ),
  {
    name: 'an order that nobody decided counts as performed at the provider',
    file: 'src/reconcile/matching.ts',
    from: "open: ['pending'],",
    to: "open: ['pending', 'performed'],",
    tests: ['test/orders/reconcile-compare.test.ts'],
  },
  {
    name: 'a second performance under one reference is overlooked',
    file: 'src/reconcile/matching.ts',
    from: "for (const line of group) if (line !== fitting && line.status === 'performed') duplicates.push(line);",
    to: '',
    tests: ['test/orders/reconcile-compare.test.ts'],
  },
  {
    name: 'the search for the boundaries of a statement may be joined with all lines of its wallet',
    file: 'src/db/sql/repeatable/ledger-boundaries.sql',
    from: 'x.wallet_version = s.middle limit 1) t),',
    to: 'x.wallet_version = s.middle) t),',
    tests: ['test/db/plans-of-statements.full.ts'],
  },
  {
    name: 'what ended is waited for when somebody holds it',
    file: 'src/db/sql/repeatable/retention.sql',
    from: ' limit $1 for update skip locked)',
    to: ' limit $1)',
    tests: ['test/retention/retention.test.ts'],
  },
  {
    name: 'a run deletes one batch and no more',
    file: 'src/retention/ended.ts',
    from: 'round.more ||= count === BATCH;',
    to: '',
    tests: ['test/retention/retention.test.ts'],
  },

  // what one answer says of money
  {
    name: 'a wallet does not wait for the charges of its query',
    file: 'src/graphql/execution/query-wallet.ts',
    from: '    await this.#ended.promise;\n',
    to: '',
    tests: ['test/graphql/one-balance.test.ts'],
  },
  {
    name: 'an older state of the wallet is shown',
    file: 'src/graphql/execution/query-wallet.ts',
    from: 'after.version > this.#latest.version',
    to: 'after.version < this.#latest.version',
    tests: ['test/graphql/one-balance.test.ts'],
  },
  {
    name: 'a wrong value below a call with a fee is found after the fee',
    file: 'src/graphql/execution/executor.ts',
    from: 'if (charges.problems.size > 0) context.wrongBelow = charges.problems;',
    to: '',
    tests: ['test/graphql/named-fees.test.ts'],
  },
  {
    name: 'the header Idempotency-Key is ignored over GraphQL',
    file: 'src/graphql/schema/known-keys.ts',
    from: 'return { ...args, input: { ...args.input, clientRequestId: key } };',
    to: 'return args;',
    tests: ['test/graphql/money-calls.test.ts'],
  },
  {
    name: 'of two keys one wins',
    file: 'src/graphql/schema/known-keys.ts',
    from: "return [{ path: PATH, rule: 'COMBINATION', message: TWO_KEYS }];",
    to: 'return [];',
    tests: ['test/graphql/money-calls.test.ts'],
  },
  {
    name: 'another card payment with the key is taken for the first',
    file: 'src/card-bills/bill-payment.service.ts',
    from: 'earlier.amountPaise === input.amount &&',
    to: '',
    tests: ['test/graphql/money-calls.test.ts', 'test/card-bills/golden.test.ts'],
  },
  ...[
    [
      'the same, unheard, is performed again',
      `k.recent and (o.settled_at is null or k.answered_at is null\n          or k.answered_at > now() - (p_age_ms + 1000) * interval '1 ms')`,
      `k.recent and o.settled_at is null`,
    ],
    [
      'the same, pending, is performed again',
      `k.recent and (o.settled_at is null or k.answered_at is null\n          or k.answered_at > now() - (p_age_ms + 1000) * interval '1 ms')`,
      `k.recent and o.settled_at is not null and k.answered_at is null`,
    ],
    ['that arrived before the answer is performed again', `(p_age_ms + 1000)`, `1000`],
    ['that arrived just after the answer is performed again', `(p_age_ms + 1000)`, `p_age_ms`],
    ['is the same for ever', `interval '3 minutes' as recent`, `interval '3 years' as recent`],
    ['is refused although the first one failed', `when o.state = 'failed' or o.reversed_at is not null then null`, ''],
    [
      'is performed within the guard',
      `when p_guard_s > 0 and k.placed_at > now() - p_guard_s * interval '1 s' then 'refused'`,
      '',
    ],
    ['of one batch is performed each time', `and not exists (select from follower f where f.ord = r.ord)),`, '),'],
    [
      'takes the answer to the first for its own',
      `placed_at = excluded.placed_at, answered_at = null),`,
      `placed_at = excluded.placed_at),`,
    ],
    [
      'is heard by the answer to another one',
      `where k.order_id = q.i and k.answered_at is null for update`,
      `where k.answered_at is null for update`,
    ],
  ].map(([name, from, to]) =>
    hold(`a recharge without a key ${name}`, from, to, [
      'test/ledger/keyless.test.ts',
      'test/recharge/without-key.test.ts',
    ]),
  ),
  {
    name: 'a reversal by people is reported as one by the provider',
    file: 'src/db/sql/repeatable/ledger-correct.sql',
    from: `case p_kind when 'reversal' then 'support' end`,
    to: `case p_kind when 'reversal' then 'provider' end`,
    tests: ['test/console/corrections.test.ts'],
  },
  {
    name: 'an answer "pending" counts as heard',
    file: 'src/recharge/recharge.resolver.ts',
    from: "clientRequestId === undefined && placed.status !== 'pending'",
    to: 'clientRequestId === undefined',
    tests: ['test/recharge/without-key.test.ts'],
  },
  {
    name: 'HEAD charges a fee',
    file: 'src/http/rest-endpoints.ts',
    from: "route.method === 'GET' && !rows.some(mayCharge);",
    to: "route.method === 'GET';",
    tests: ['test/leads/lead-fee.test.ts'],
  },
  {
    name: 'what fails below a payment says that nothing was kept',
    file: 'src/graphql/documents/charges.ts',
    from: 'if (!call.money) return hasKeptMoney;',
    to: 'return false;',
    tests: ['test/graphql/money-calls.test.ts'],
  },
  {
    name: 'no process deletes what ended',
    file: 'src/app.ts',
    from: '    createRetention(base),\n',
    to: '',
    tests: ['test/retention/retention.test.ts'],
  },

  // approval requests about orders
  people(
    'a request about an order that has changed is carried out',
    'if (await proposals.isOutdated(id, tx))',
    'if (false)',
    ['test/console/corrections.test.ts'],
  ),
  {
    name: 'a request to reverse an order outlives the request to charge it again',
    file: 'src/decisions/correction.decision.ts',
    from: '    opposite,\n    reopen',
    to: '    reopen',
    tests: ['test/console/corrections.test.ts'],
  },

  // found by a review of the money path
  correct(
    'a reversed payment that its provider calls performed contradicts nothing',
    "p_performed = (o.state = 'success' and o.reversed_at is null)",
    "p_performed = (o.state = 'success')",
  ),
  resolve(
    'a resolution forgets the transaction id that a status check returned',
    "provider_txn_id = coalesce(nullif(d.txn, ''), x.provider_txn_id)",
    "provider_txn_id = nullif(d.txn, '')",
    ['test/orders/review.test.ts'],
  ),
  {
    name: 'a reversal is no credit of its day',
    file: `${SQL}/ledger-boundaries.sql`,
    from: "x.kind in ('top_up', 'refund', 'reversal', 'correction')",
    to: "x.kind in ('top_up', 'refund', 'correction')",
    tests: ['test/ledger/statement.test.ts'],
  },
  {
    name: 'an allowance is counted for the day of UTC',
    file: 'src/decisions/alone-allowance.ts',
    from: "${kind}, (now() at time zone 'Asia/Kolkata')::date",
    to: "${kind}, (now() at time zone 'UTC')::date",
    tests: ['test/console/proposals.test.ts'],
  },
  {
    name: 'the allowance that is left is shown for the day of UTC',
    file: 'src/decisions/alone-allowance.ts',
    from: "day = (now() at time zone 'Asia/Kolkata')::date",
    to: "day = (now() at time zone 'UTC')::date",
    tests: ['test/console/proposals.test.ts'],
  },
  archive(
    'an order leaves while its webhook waits in the outbox',
    'where b.developer_id = o.developer_id and b.order_id = o.id)',
    'where false)',
  ),
  {
    name: 'an order that a sweeper has leased is sent',
    file: 'src/orders/enquiry.store.ts',
    from: "o.state = 'open' and o.asked = 0 and o.send_claimed_at",
    to: "o.state = 'open' and o.send_claimed_at",
    tests: CLAIMS,
  },
  {
    name: 'a payment that is charged again keeps the answer of its failure',
    file: 'src/decisions/correction.decision.ts',
    from: "order.state === 'failed' ? encryptedAnswer(order, true, parts) : undefined",
    to: 'undefined',
    tests: ['test/console/corrections.test.ts'],
  },
  {
    name: 'the search for a day has no minute of slack',
    file: `${SQL}/ledger-boundaries.sql`,
    from: "x.created_at < s.instant - interval '1 minute' as early",
    to: 'x.created_at < s.instant as early',
    tests: ['test/ledger/statement.test.ts'],
  },
  hold(
    'a recharge without a key repeats one of the other environment',
    'x.developer_id = p_developer and x.environment = p_environment and x.fingerprint',
    'x.developer_id = p_developer and x.fingerprint',
    ['test/ledger/keyless.test.ts', 'test/recharge/without-key.test.ts'],
  ),
  resolve(
    'a failed lookup takes the key of a later one with it',
    'and k.operation = d.operation and k.client_key = d.client_key and k.order_id = d.id),',
    'and k.operation = d.operation and k.client_key = d.client_key),',
    ['test/plans/plan-repeats.test.ts', 'test/ledger/second-postings.test.ts'],
  ),
  enquiries(
    'two "not found" around a "pending" are proof enough',
    'not_found = case when p_not_found then x.not_found + 1 else 0 end',
    'not_found = x.not_found + p_not_found::integer',
    ['test/orders/clocks.test.ts'],
  ),
  correct(
    'a correction leaves the order with people',
    'delete from order_review v where v.order_id = o.id;\n  if o.operation',
    'if o.operation',
  ),
  correct(
    'a correction leaves the order in the queue of enquiries',
    'perform order_due_set(o, false, null);\n  delete from order_review v where v.order_id = o.id;',
    'delete from order_review v where v.order_id = o.id;',
    ['test/orders/reversals.test.ts'],
  ),
  {
    name: 'a webhook gets an order of the other environment',
    file: `${SQL}/webhooks.sql`,
    from: 'e.developer_id = t.developer_id and e.environment = o.environment\n',
    to: 'e.developer_id = t.developer_id\n',
    tests: ['test/webhooks/webhooks.test.ts'],
  },
  {
    name: 'a webhook that is redirected counts as delivered',
    file: 'src/webhooks/webhook-courier.ts',
    from: 'httpStatus >= 200 && httpStatus < 300',
    to: 'httpStatus >= 200 && httpStatus < 400',
    tests: ['test/webhooks/webhooks.test.ts'],
  },
  {
    name: 'a filtered page that stopped early goes on after its last order',
    file: 'src/graphql-toolkit/connection.ts',
    from: 'endCursor: (backwards ? undefined : stopped) ??',
    to: 'endCursor:',
    tests: ['test/orders/order-list.test.ts'],
  },
  {
    name: 'a filtered page that stopped early goes on before its first order',
    file: 'src/graphql-toolkit/connection.ts',
    from: 'startCursor: (backwards ? stopped : undefined) ??',
    to: 'startCursor:',
    tests: ['test/orders/order-list.test.ts'],
  },
  {
    name: 'payments in review are left out of the exposure',
    file: 'src/orders/exposure.ts',
    from: "${LOOKED_AT} where v.reason = 'review'",
    to: '${LOOKED_AT} where false',
    tests: ['test/orders/exposure.test.ts'],
  },
  {
    name: 'play money uses up a bank transfer',
    file: 'src/accounts/wallet-credit.ts',
    from: "environment === 'production' ? (utr ?? utrIn(reference)) : undefined",
    to: 'utr ?? utrIn(reference)',
    tests: ['test/console/money.test.ts'],
  },
  {
    name: 'a reference that is a UTR is no bank transfer',
    file: 'src/accounts/wallet-credit.ts',
    from: '(utr ?? utrIn(reference))',
    to: 'utr',
    tests: ['test/console/money.test.ts'],
  },
  {
    name: 'a reference of other letters is a bank transfer',
    file: 'src/core/utr.ts',
    from: "isOfBank && text.replace(/\\D/g, '').length >= 8",
    to: 'isOfBank',
    tests: ['test/console/money.test.ts'],
  },
  {
    name: 'one person credits real money without a bank transfer',
    file: 'src/decisions/wallet.decisions.ts',
    from: '(transferOf(credit) !== undefined &&',
    to: '(true &&',
    tests: ['test/console/money.test.ts'],
  },
  {
    name: 'real money without a bank transfer needs no reason',
    file: 'src/decisions/wallet.decisions.ts',
    from: 'if (utr === undefined) requireReason(credit);',
    to: '',
    tests: ['test/console/money.test.ts'],
  },
  {
    name: 'a statement that calls a success failed only doubts it where nobody can ask',
    file: 'src/reconcile/reconcile.ts',
    from: 'takenBack && canEnquire',
    to: 'takenBack',
    tests: ['test/reconcile/differences.test.ts'],
  },
  {
    name: 'a doubt that nobody can ask about ends',
    file: 'src/orders/states.ts',
    from: "doubt.routine ? 'over' : 'review'",
    to: "'over'",
    tests: ['test/reconcile/differences.test.ts'],
  },
  {
    name: 'a status check that cannot be made is scheduled',
    file: 'src/enquiries/reversals.ts',
    from: 'known?.canEnquire ? known.recheckAfterMs : 0',
    to: 'known?.recheckAfterMs ?? 0',
    tests: ['test/reconcile/differences.test.ts'],
  },
  {
    name: 'a timeline shows a status check that nobody made',
    file: 'src/enquiries/reversals.ts',
    from: 'detail: known?.canEnquire ? { ...outcome.evidence, askedAt: order.askedAt } : undefined',
    to: 'detail: { ...outcome.evidence, askedAt: order.askedAt }',
    tests: ['test/reconcile/differences.test.ts'],
  },
  {
    name: 'an incomplete statement resolves what it does not have',
    file: 'src/reconcile/difference.store.ts',
    from: 'their_status === null || covered || matched !== undefined',
    to: 'true',
    tests: ['test/reconcile/differences.test.ts'],
  },
  {
    name: 'a difference of amounts ends once the statuses agree',
    file: 'src/reconcile/difference.store.ts',
    from: "kind !== 'status_differs' || ",
    to: '',
    tests: ['test/reconcile/differences.test.ts'],
  },
  exchange(
    'a request is written although its claim could not be read',
    '.catch(() => false)) ?? true',
    '.catch(() => true)) ?? true',
  ),
  {
    name: 'a card payment of 50000 rupees needs no PAN',
    file: 'src/card-bills/card-bills.types.ts',
    from: 'amount < PAN_FROM_PAISE',
    to: 'amount <= PAN_FROM_PAISE',
    tests: ['test/card-bills/bad-input.test.ts'],
  },
  {
    name: 'a late answer that contradicts the decision is dropped',
    file: 'src/orders/outcomes.ts',
    from: 'await enquiryStore.contradict(order, success, detail);',
    to: '',
    tests: ['test/console/corrections.test.ts'],
  },
  {
    name: 'a debit that is sent again with another amount is replayed',
    file: 'src/decisions/wallet.decisions.ts',
    from: 'if (before !== undefined && before !== debit.amountPaise) throw referenceTaken();',
    to: '',
    tests: ['test/console/corrections.test.ts'],
  },
  roundpay(
    'a success of a recharge with an error code is believed',
    'answers',
    "const { code } = answer;\n  switch (statusOf(answer)) {\n    case 'success':\n      return code === '' || code === '200' ? 'success' : 'unexpected';",
    "const { code } = answer;\n  switch (statusOf(answer)) {\n    case 'success':\n      return 'success';",
  ),
  {
    name: 'one broken posting fails its whole batch',
    file: 'src/ledger/posting-batcher.ts',
    from: 'if (batch.length > 1) {',
    to: 'if (batch.length > 1_000) {',
    tests: ['test/ledger/posting-batcher.test.ts'],
  },
];

import { expect, it } from 'vitest';
import { MailAllowance, mailboxOf } from '../../src/accounts/people/mail-allowance.js';
import { Secret } from '../../src/core/secret.js';
import { MemoryCounters } from '../../src/db/counters/counters.js';

const newAllowance = () => new MailAllowance(new MemoryCounters(), new Secret('a pepper for tests only'));

/** Requests an email from this many addresses, three times each, and returns how many are allowed. */
async function emailsFrom(allowance: MailAllowance, addresses: number): Promise<number> {
  let emails = 0;
  for (let n = 0; n < addresses * 3; n++)
    if (await allowance.request('sign-up', `owner+${n}@example.com`, `198.51.100.${Math.floor(n / 3)}`)) emails++;
  return emails;
}

it.each([
  ['Asha@Example.com', 'asha@example.com'],
  ['asha+shop+1@example.com', 'asha@example.com'],
  ['a.s.ha+x@Googlemail.com', 'asha@gmail.com'],
  ['a.sha@example.com', 'a.sha@example.com'],
  ['+only@example.com', '+only@example.com'],
])('normalizes the mailbox: %s counts for %s', (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox);
});

it('allows one caller three emails a day to a mailbox, and its owner still gets one', async () => {
  const allowance = newAllowance();
  expect(await emailsFrom(allowance, 1)).toBe(3);
  expect(await allowance.request('sign-up', 'owner@example.com', '203.0.113.1')).toBe(true);
});

it('allows five a day in full, a first email for each new address, and at most twenty', async () => {
  const allowance = newAllowance();
  // 3 + 2 in full, and one for each new address after them.
  expect(await emailsFrom(allowance, 10)).toBe(3 + 2 + 8);
  expect(await allowance.request('sign-up', 'owner@example.com', '203.0.113.1')).toBe(true);
  const shared = newAllowance();
  expect(await emailsFrom(shared, 40)).toBe(20);
  expect(await shared.request('sign-up', 'owner@example.com', '203.0.113.1')).toBe(false);
  // The limit of one purpose does not affect the other.
  expect(await shared.request('password-reset', 'owner@example.com', '203.0.113.1')).toBe(true);
});

it('rejects frequent requests of one caller, by mailbox and by address', async () => {
  const allowance = newAllowance();
  await emailsFrom(allowance, 1);
  await expect(allowance.request('sign-up', 'owner@example.com', '198.51.100.0')).rejects.toMatchObject({
    code: 'RATE_LIMITED',
  });
  for (let n = 0; n < 6; n++) await allowance.request('sign-up', `other-${n}@example.com`, '198.51.100.0');
  await expect(allowance.request('sign-up', 'last@example.com', '198.51.100.0')).rejects.toMatchObject({
    code: 'RATE_LIMITED',
  });
});

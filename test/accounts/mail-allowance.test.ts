import { expect, it } from 'vitest';
import { MailAllowance, mailboxOf } from '../../src/accounts/people/mail-allowance.js';
import { Secret } from '../../src/core/secret.js';
import { MemoryCounters } from '../../src/db/counters/counters.js';

const newAllowance = () => new MailAllowance(new MemoryCounters(), new Secret('a pepper for tests only'));

/** Asks from so many addresses, three times each; how many mails that makes. */
async function mailsFrom(allowance: MailAllowance, addresses: number): Promise<number> {
  let mails = 0;
  for (let n = 0; n < addresses * 3; n++)
    if (await allowance.request('sign-up', `owner+${n}@example.com`, `198.51.100.${Math.floor(n / 3)}`)) mails++;
  return mails;
}

it.each([
  ['Asha@Example.com', 'asha@example.com'],
  ['asha+shop+1@example.com', 'asha@example.com'],
  ['a.s.ha+x@Googlemail.com', 'asha@gmail.com'],
  ['a.sha@example.com', 'a.sha@example.com'],
  ['+only@example.com', '+only@example.com'],
])('counts %s for the mailbox %s', (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox);
});

it('lets one stranger cause three mails a day, and the owner still gets one', async () => {
  const allowance = newAllowance();
  expect(await mailsFrom(allowance, 1)).toBe(3);
  expect(await allowance.request('sign-up', 'owner@example.com', '203.0.113.1')).toBe(true);
});

it('stops at five a day, keeps a first one for newcomers, and ends at twenty', async () => {
  const allowance = newAllowance();
  // 3 + 2 in full, and one for each newcomer after them
  expect(await mailsFrom(allowance, 10)).toBe(3 + 2 + 8);
  expect(await allowance.request('sign-up', 'owner@example.com', '203.0.113.1')).toBe(true);
  const many = newAllowance();
  expect(await mailsFrom(many, 40)).toBe(20);
  expect(await many.request('sign-up', 'owner@example.com', '203.0.113.1')).toBe(false);
  // what one purpose used up leaves the other alone
  expect(await many.request('password-reset', 'owner@example.com', '203.0.113.1')).toBe(true);
});

it('refuses the caller who asks too often, by mailbox and by address', async () => {
  const allowance = newAllowance();
  await mailsFrom(allowance, 1);
  await expect(allowance.request('sign-up', 'owner@example.com', '198.51.100.0')).rejects.toMatchObject({
    code: 'RATE_LIMITED',
  });
  for (let n = 0; n < 6; n++) await allowance.request('sign-up', `other-${n}@example.com`, '198.51.100.0');
  await expect(allowance.request('sign-up', 'last@example.com', '198.51.100.0')).rejects.toMatchObject({
    code: 'RATE_LIMITED',
  });
});

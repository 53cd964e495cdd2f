import { afterAll, describe, expect, it } from 'vitest';
import { ZERO } from '../../src/core/money.js';
import type { LeadProfile } from '../../src/providers/ports/leads.port.js';
import { sandboxLeadStatus } from '../../src/providers/sandbox/lead-status.js';
import { createSandboxLeads } from '../../src/providers/sandbox/leads.adapter.js';
import { lookupCases, outcomeText, quick, valueOf } from './sandbox.fixture.js';

const sandbox = createSandboxLeads(quick);
afterAll(() => sandbox.close());

const profile = (mobileNo: string, more: Partial<LeadProfile> = {}): LeadProfile => ({
  firstName: 'Asha',
  lastName: 'Rao',
  mobileNo,
  email: 'asha@example.com',
  dob: '1990-05-17',
  company: 101,
  occupation: 2,
  monthlySalaryPaise: ZERO,
  itrAmountPaise: ZERO,
  gender: 'Female',
  pincode: 1001,
  address: '1 MG Road',
  category: 'Individual',
  categoryId: 3,
  pan: 'ABCDE1234F',
  ...more,
});
const productsOf = async (id: number) => valueOf(await sandbox.productsByCategory(id));
const findCompanies = async (search: string) => valueOf(await sandbox.companies(search)).map(({ name }) => name);
const findPincodes = async (search: string) => valueOf(await sandbox.pincodes(search));

describe('sandbox profiles', () => {
  it('return an ID derived from the mobile number, the given category and no product', async () => {
    const receipt = valueOf(await sandbox.upsertProfile(profile('9876543210')));
    expect(receipt).toEqual({
      mobileNo: '9876543210',
      customerId: expect.stringMatching(/^[\w-]{24,64}$/),
      categoryId: 3,
      productId: null,
    });
    const again = createSandboxLeads(quick).upsertProfile(profile('9876543210', { firstName: 'Usha' }));
    expect(valueOf(await again)).toEqual(receipt);
    expect(valueOf(await sandbox.upsertProfile(profile('9876543211'))).customerId).not.toBe(receipt.customerId);
  });

  it('keep the customer ID of an update', async () => {
    const update = await sandbox.upsertProfile(profile('9876543210', { customerId: 'aUczK1BLknown' }));
    expect(valueOf(update).customerId).toBe('aUczK1BLknown');
  });

  it.each(lookupCases)('…$suffix: $verdict', async ({ suffix, verdict }) => {
    expect(outcomeText(await sandbox.upsertProfile(profile(`9876${suffix}`)))).toBe(verdict);
  });
});

describe('sandbox leads', () => {
  it('have unique codes and a campaign on a reserved domain', async () => {
    const lead = { productId: '2301', customerId: 'c' };
    const created = await Promise.all(Array.from({ length: 200 }, async () => valueOf(await sandbox.createLead(lead))));
    expect(new Set(created.map(({ leadCode }) => leadCode)).size).toBe(200);
    for (const { leadCode, campaignUrl } of created) {
      expect(leadCode).toMatch(/^BS-LEAD-UAT-[0-9A-Z]{25}$/);
      expect(new URL(campaignUrl)).toMatchObject({ protocol: 'https:', hostname: 'campaigns.example' });
      expect(new URL(campaignUrl).searchParams.get('lead')).toBe(leadCode);
    }
  });

  it('have valid URLs for any product ID', async () => {
    const query = { productId: 'a/b?c#d é', customerId: 'c' };
    const { campaignUrl } = valueOf(await sandbox.createLead(query));
    const details = valueOf(await sandbox.productDetails(query));
    for (const url of [campaignUrl, details.campaignUrl, details.url]) {
      expect(decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '')).toBe(query.productId);
    }
    expect(valueOf(await sandbox.productDetails(query))).toEqual(details);
    expect(valueOf(await sandbox.productDetails({ ...query, cardId: 7 }))).not.toEqual(details);
  });

  it('return a sample for an unknown code', async () => {
    expect(valueOf(await sandbox.leadStatus('BS-LEAD-987654'))).toEqual({
      leadCode: 'BS-LEAD-987654',
      leadStatus: 'pending',
    });
  });

  it.each([
    ['2301', ['pending', 'submitted', 'approved', 'approved']],
    ['99901', ['pending', 'submitted', 'rejected', 'rejected']],
    ['99902', ['pending', 'submitted', 'failed', 'failed']],
  ])('move a lead of product %s through %s', (productId, statuses) => {
    let status: string | null = null;
    for (const expected of statuses) {
      status = sandboxLeadStatus({ productId, status });
      expect(status).toBe(expected);
    }
  });

  it('keep a final status and restart from an unknown one', () => {
    for (const end of ['approved', 'success', 'rejected', 'failed'])
      expect(sandboxLeadStatus({ productId: '99901', status: end })).toBe(end);
    expect(sandboxLeadStatus({ productId: '2301', status: 'in review' })).toBe('pending');
  });
});

describe('sandbox products', () => {
  it('include Credit Cards under an ID other than the common 3', async () => {
    const categories = valueOf(await sandbox.productCategories());
    expect(Object.fromEntries(categories.map(({ id, title }) => [title, id]))).toEqual({
      'Credit Cards': 23,
      Loans: 4,
      'Bank Accounts': 13,
      Demat: 17,
      'Credit Line': 30,
    });
  });

  it('include at least twelve products per category, each with a unique ID and a logo', async () => {
    const categories = valueOf(await sandbox.productCategories());
    const lists = await Promise.all(categories.map(async ({ id }) => valueOf(await sandbox.productsByCategory(id))));
    for (const list of lists) {
      expect(list.length).toBeGreaterThanOrEqual(12);
      for (const { title, subTitle, logo } of list) {
        expect(title).not.toBe('');
        expect(subTitle).not.toBe('');
        expect(new URL(logo)).toMatchObject({ protocol: 'https:', hostname: 'static.example' });
      }
    }
    const ids = lists.flat().map(({ productId }) => productId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => /^\d{1,64}$/.test(id))).toBe(true);
  });

  it('accept both IDs of Credit Cards and return a sample for an unknown one', async () => {
    expect(await productsOf(3)).toEqual(await productsOf(23));
    expect(await productsOf(4)).not.toEqual(await productsOf(23));
    expect((await productsOf(777)).length).toBeGreaterThanOrEqual(12);
  });

  it('are immutable', async () => {
    const list = valueOf(await sandbox.productsByCategory(4));
    const size = list.length;
    list.pop();
    expect(valueOf(await sandbox.productsByCategory(4))).toHaveLength(size);
    expect(() => Object.assign(list[0] ?? {}, { title: 'changed' })).toThrow(TypeError);
  });
});

describe('sandbox directories', () => {
  it('find companies by any part of their name, in any case', async () => {
    expect(await findCompanies(' tata ')).toEqual(['Tata Consultancy Services', 'Tata Motors', 'Tata Steel']);
    expect(await findCompanies('no such employer')).toEqual([]);
    expect((await findCompanies('')).length).toBe(50);
  });

  it('find pincodes by number and by place', async () => {
    expect((await findPincodes('560001')).map(({ name }) => name)).toEqual(['560001 Bengaluru, Karnataka']);
    expect((await findPincodes('haryana')).length).toBe(3);
    const all = await findPincodes('');
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  });

  it('map self-employed to occupation 2, like the profile rules', async () => {
    const occupations = valueOf(await sandbox.occupations());
    expect(occupations.slice(0, 2)).toEqual([
      { id: 1, name: 'Salaried' },
      { id: 2, name: 'Self-employed' },
    ]);
  });
});

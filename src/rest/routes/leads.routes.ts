import { chargedResponse } from '../responses.js';
import { graphql, type RestRoute, route } from '../route.js';
import { CHARGED_CALL, LEAD_CALL } from '../service-codes.js';

/** Routes of customer profiles, leads and their status (interface.md 4.10 to 4.12). */
export const leadRoutes: readonly RestRoute[] = [
  route({
    method: 'POST',
    path: '/api/v1/leads/profile',
    document: graphql(`
      mutation UpsertProfile($input: UpsertProfileInput!) {
        result: upsertProfile(input: $input) {
          fee
          wallet { balance }
          customer { mobile customerId categoryId productId }
        }
      }
    `),
    codes: LEAD_CALL,
    fields: {
      first_name: { to: 'input.firstName', kind: 'text' },
      last_name: { to: 'input.lastName', kind: 'text' },
      mobile_no: { to: 'input.mobile', kind: 'text', alsoNumber: true },
      email: { to: 'input.email', kind: 'text' },
      dob: { to: 'input.dob', kind: 'text' },
      company: { to: 'input.company', kind: 'number' },
      occupation: { to: 'input.occupation', kind: 'number' },
      monthly_salary: { to: 'input.monthlySalary', kind: 'number' },
      itr_amount: { to: 'input.itrAmount', kind: 'number' },
      gender: { to: 'input.gender', kind: { Male: 'MALE', Female: 'FEMALE', Other: 'OTHER' } },
      pincode: { to: 'input.pincode', kind: 'number' },
      address: { to: 'input.address', kind: 'text' },
      category: { to: 'input.category', kind: { Individual: 'INDIVIDUAL', 'Non-Individual': 'NON_INDIVIDUAL' } },
      category_id: { to: 'input.categoryId', kind: 'number' },
      pan: { to: 'input.pan', kind: 'text' },
      customer_id: { to: 'input.customerId', kind: 'text', optional: true },
    },
    toResponse: (profile) =>
      chargedResponse('Customer profile saved.', profile, {
        mobile_no: profile.customer.mobile,
        customer_id: profile.customer.customerId,
        category_id: String(profile.customer.categoryId),
        product_id: profile.customer.productId,
      }),
    example: {
      first_name: 'Asha',
      last_name: 'Verma',
      mobile_no: '9876543210',
      email: 'asha@example.com',
      dob: '1990-05-21',
      company: 101,
      occupation: 1,
      monthly_salary: 65000,
      itr_amount: 0,
      gender: 'Female',
      pincode: 1001,
      address: '12 Lake Road',
      category: 'Individual',
      category_id: 3,
      pan: 'ABCDE1234F',
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/leads',
    document: graphql(`
      mutation CreateLead($input: CreateLeadInput!) {
        result: createLead(input: $input) {
          fee
          wallet { balance }
          lead { leadCode }
          campaignUrl
        }
      }
    `),
    codes: LEAD_CALL,
    fields: {
      product_id: { to: 'input.productId', kind: 'text', alsoNumber: true },
      customer_id: { to: 'input.customerId', kind: 'text', optional: true },
      category_id: { to: 'input.categoryId', kind: 'number', optional: true },
      required_amount: { to: 'input.requiredAmount', kind: 'number', optional: true },
    },
    toResponse: (created) =>
      chargedResponse('Lead created.', created, {
        lead_code: created.lead.leadCode,
        campaign_url: created.campaignUrl,
      }),
    example: { product_id: '4001', customer_id: 'aUczK1BLSAMPLE', category_id: 4, required_amount: 250000 },
    // in Production, customer IDs are specific to the account
    inProduction: { customer_id: undefined },
  }),
  route({
    method: 'GET',
    path: '/api/v1/leads/status',
    document: graphql(`
      query LeadStatus($leadCode: String!) {
        result: leadStatus(leadCode: $leadCode) {
          fee
          wallet { balance }
          lead { leadCode status }
        }
      }
    `),
    codes: CHARGED_CALL,
    fields: { lead_code: { to: 'leadCode', kind: 'text' } },
    toResponse: (found) =>
      chargedResponse('Lead status fetched.', found, {
        lead_code: found.lead.leadCode,
        lead_status: found.lead.status.toLowerCase(),
      }),
    example: { lead_code: 'BS-LEAD-987654' },
    // the lead already exists
    inProduction: { lead_code: 'BS-LEAD-104512' },
  }),
];

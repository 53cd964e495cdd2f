import { chargedAnswer } from '../charged-answer.js';
import type { CreateLeadMutation, LeadStatusQuery, UpsertProfileMutation } from '../generated/graphql.js';
import type { RestRoute, Result } from '../route.js';

const GENDERS = { Male: 'MALE', Female: 'FEMALE', Other: 'OTHER' };
const CATEGORIES = { Individual: 'INDIVIDUAL', 'Non-Individual': 'NON_INDIVIDUAL' };

/** Profiles, leads and their status (interface.md 4.10 to 4.12). */
export const leadRoutes: readonly RestRoute[] = [
  {
    method: 'POST',
    path: '/api/v1/leads/profile',
    operation: 'UpsertProfile',
    validationStatus: 422,
    fields: {
      first_name: { to: 'input.firstName', kind: 'text' },
      last_name: { to: 'input.lastName', kind: 'text' },
      mobile_no: { to: 'input.mobileNo', kind: 'text' },
      email: { to: 'input.email', kind: 'text' },
      dob: { to: 'input.dob', kind: 'text' },
      company: { to: 'input.company', kind: 'number' },
      occupation: { to: 'input.occupation', kind: 'number' },
      monthly_salary: { to: 'input.monthlySalary', kind: 'number' },
      itr_amount: { to: 'input.itrAmount', kind: 'number' },
      gender: { to: 'input.gender', kind: GENDERS },
      pincode: { to: 'input.pincode', kind: 'number' },
      address: { to: 'input.address', kind: 'text' },
      category: { to: 'input.category', kind: CATEGORIES },
      category_id: { to: 'input.categoryId', kind: 'number' },
      pan: { to: 'input.pan', kind: 'text' },
      customer_id: { to: 'input.customerId', kind: 'text', optional: true },
    },
    answer: (profile: Result<UpsertProfileMutation>) =>
      chargedAnswer(profile, {
        mobile_no: profile.mobileNo,
        customer_id: profile.customerId,
        category_id: profile.categoryId,
        product_id: profile.productId,
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
  },
  {
    method: 'POST',
    path: '/api/v1/leads',
    operation: 'CreateLead',
    validationStatus: 422,
    fields: {
      product_id: { to: 'input.productId', kind: 'text' },
      customer_id: { to: 'input.customerId', kind: 'text', optional: true },
      category_id: { to: 'input.categoryId', kind: 'number', optional: true },
      required_amount: { to: 'input.requiredAmount', kind: 'number', optional: true },
    },
    answer: (lead: Result<CreateLeadMutation>) =>
      chargedAnswer(lead, { lead_code: lead.leadCode, campaign_url: lead.campaignUrl }),
    example: { product_id: '4001', customer_id: 'aUczK1BLSAMPLE', category_id: 4, required_amount: 250000 },
  },
  {
    method: 'GET',
    path: '/api/v1/leads/status',
    operation: 'LeadStatus',
    validationStatus: 422,
    fields: { lead_code: { to: 'leadCode', kind: 'text' } },
    answer: (lead: Result<LeadStatusQuery>) =>
      chargedAnswer(lead, { lead_code: lead.leadCode, lead_status: lead.leadStatus.toLowerCase() }),
    example: { lead_code: 'BS-LEAD-987654' },
  },
];

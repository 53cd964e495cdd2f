import { charged, exactly, filledText } from './common.js';

/** Profiles (interface.md 2.10 and 4.10): fee 0, `category_id` as a string, `product_id` null if the provider returns none. */
export const profileSuccess = charged(
  exactly({
    mobile_no: { type: 'string', pattern: '^[6-9][0-9]{9}$' },
    customer_id: filledText,
    category_id: { type: 'string', pattern: '^[0-9]+$' },
    product_id: { type: ['string', 'null'] },
  }),
);

/** Creating a lead (interface.md 2.11 and 4.11). */
export const leadSuccess = charged(exactly({ lead_code: filledText, campaign_url: { type: 'string', format: 'uri' } }));

/** Lead status (interface.md 2.11, 3.1 and 4.12). */
export const leadStatusSuccess = charged(
  exactly({
    lead_code: filledText,
    lead_status: { enum: ['pending', 'submitted', 'success', 'approved', 'failed', 'rejected'] },
  }),
);

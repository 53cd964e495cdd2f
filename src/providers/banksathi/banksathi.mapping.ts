import { z } from 'zod';
import type { ProviderResponse } from '../http-client.js';
import type { LeadRejection } from '../lead-rejections.js';
import type { Outcome } from '../outcome.js';
import { judgeByShape, judgeByStatus, type StatusWords } from '../outcome-factory.js';
import type { LeadProfile, LeadProfileReceipt, ProductListing } from '../ports/leads.port.js';
import {
  wireField,
  wireFilledText,
  wireId,
  wireInt,
  wireListOf,
  wireObject,
  wireText,
  wireTextOrEmpty,
} from '../wire.js';

/*
 * Every body is `{status, data, message}`. No shape contains `message`, because it can contain the full PAN of the request.
 * `message` is only compared with the documented texts and is never stored.
 */

const statusWords: StatusWords = new Map([
  ['true', 'success'],
  ['1', 'success'],
  ['success', 'success'],
  ['false', 'failure'],
  ['0', 'failure'],
]);

/** Errors that the provider documents. They affect only the error message for the caller, not money or stored data. */
const REJECTIONS: readonly [text: RegExp, refusal: LeadRejection][] = [
  [/^pan no \S{1,20} is associated with another mobile number\b/i, 'PAN_ON_OTHER_NUMBER'],
];

const messageOf = wireField('message', wireText);

const rejectionOf = (body: unknown): LeadRejection | undefined => {
  const message = messageOf.safeParse(body).data ?? '';
  return REJECTIONS.find(([text]) => text.test(message))?.[1];
};

/**
 * Limits of both lists. One query can request the products of every category and the links of every product, so the limits
 * multiply.
 */
const MAX_CATEGORIES = 200;
const MAX_PRODUCTS = 500;
/** Maximum number of companies, occupations or pincodes per search. */
const MAX_CHOICES = 2_000;

const dataOf = <S extends z.ZodType>(shape: S) => wireField('data', shape);

/** Checks a link. Links are shown to users, so only web addresses are accepted. */
const isWebUrl = (text: string): boolean => /^https?:\/\/[^\s\p{C}"<>]+$/iu.test(text) && URL.canParse(text);
const webUrl = wireFilledText.refine(isWebUrl);

const profileShape = dataOf(
  wireObject({
    mobile_no: wireTextOrEmpty,
    profile_details: wireObject({
      customer_id: wireId,
      category_id: wireInt.optional().catch(undefined),
      product_id: wireTextOrEmpty,
    }),
  }),
);

/**
 * Evaluates the response to a profile.
 * @param profile the request. If the mobile number is missing in the response, or its category is missing or invalid, the values
 * of the request are used. A response with another number does not belong to the request.
 */
export function judgeProfile(
  response: ProviderResponse,
  profile: Pick<LeadProfile, 'mobileNo' | 'categoryId'>,
): Outcome<LeadProfileReceipt> {
  const { mobileNo, categoryId } = profile;
  const receiptShape = profileShape.transform(({ mobile_no, profile_details: details }) => ({
    // The provider may add the country code as a prefix.
    isSameMobile: mobile_no === '' || mobile_no.replace(/\D/g, '').slice(-mobileNo.length) === mobileNo,
    receipt: {
      mobileNo,
      customerId: details.customer_id,
      categoryId: details.category_id ?? categoryId,
      productId: details.product_id || null,
    },
  }));
  return judgeByStatus(
    response,
    statusWords,
    receiptShape,
    ({ isSameMobile, receipt }, outcomes, reported) =>
      isSameMobile ? outcomes.accepted(receipt, reported) : outcomes.unknown('reference_mismatch', reported),
    rejectionOf,
  );
}

const leadShape = dataOf(wireObject({ lead_code: wireId, campaign_url: wireTextOrEmpty }));

/** Evaluates the response to a lead. The evidence includes the lead code, so a lead without a usable link can still be found. */
export const judgeLead = (response: ProviderResponse): Outcome<{ leadCode: string; campaignUrl: string }> =>
  judgeByStatus(response, statusWords, leadShape, ({ lead_code, campaign_url }, outcomes, reported) => {
    const reportedLead = { ...reported, txnId: lead_code };
    return isWebUrl(campaign_url)
      ? outcomes.accepted({ leadCode: lead_code, campaignUrl: campaign_url }, reportedLead)
      : outcomes.unexpected(reportedLead);
  });

/** Status word of a lead. Only a single word is accepted, so that free text of the provider is not mistaken for a status. */
const leadWord = z
  .string()
  .transform((text) => text.trim().toLowerCase())
  .refine((text) => /^[a-z][a-z_-]{0,39}$/.test(text));
const leadStatusShape = dataOf(wireObject({ lead_code: wireTextOrEmpty, lead_status: leadWord }));

export const judgeLeadStatus = (
  response: ProviderResponse,
  leadCode: string,
): Outcome<{ leadCode: string; leadStatus: string }> =>
  judgeByStatus(response, statusWords, leadStatusShape, ({ lead_code, lead_status }, outcomes, reported) =>
    lead_code === '' || lead_code === leadCode
      ? outcomes.accepted({ leadCode, leadStatus: lead_status }, reported)
      : outcomes.unknown('reference_mismatch', reported),
  );

const detailsShape = dataOf(wireObject({ url: wireTextOrEmpty, campaign_url: webUrl })).transform((data) => ({
  url: isWebUrl(data.url) ? data.url : data.campaign_url,
  campaignUrl: data.campaign_url,
}));

export const judgeProductDetails = (response: ProviderResponse): Outcome<{ url: string; campaignUrl: string }> =>
  judgeByShape(response, statusWords, detailsShape);

const productShape = wireObject({
  product_id: wireId,
  title: wireFilledText,
  sub_title: wireTextOrEmpty,
  logo: wireTextOrEmpty,
}).transform(
  (product): ProductListing => ({
    productId: product.product_id,
    title: product.title,
    subTitle: product.sub_title,
    logo: isWebUrl(product.logo) ? product.logo : '',
  }),
);
const productsShape = dataOf(wireListOf(productShape, MAX_PRODUCTS));

export const judgeProducts = (response: ProviderResponse): Outcome<ProductListing[]> =>
  judgeByShape(response, statusWords, productsShape);

const categoriesShape = dataOf(wireListOf(wireObject({ id: wireInt, title: wireFilledText }), MAX_CATEGORIES));

export const judgeCategories = (response: ProviderResponse): Outcome<{ id: number; title: string }[]> =>
  judgeByShape(response, statusWords, categoriesShape);

/**
 * Companies, occupations and pincodes. Their format is not documented. We assume an ID and one of these names, most specific
 * first. Verify this with the provider before going live.
 */
const choiceShape = wireObject({
  id: wireInt,
  name: wireTextOrEmpty,
  title: wireTextOrEmpty,
  company_name: wireTextOrEmpty,
  occu_title: wireTextOrEmpty,
  pincode: wireTextOrEmpty,
})
  .transform((entry) => ({
    id: entry.id,
    name: entry.name || entry.title || entry.company_name || entry.occu_title || entry.pincode,
  }))
  .refine(({ name }) => name !== '');
const choicesShape = dataOf(wireListOf(choiceShape, MAX_CHOICES));

export const judgeChoices = (response: ProviderResponse): Outcome<{ id: number; name: string }[]> =>
  judgeByShape(response, statusWords, choicesShape);

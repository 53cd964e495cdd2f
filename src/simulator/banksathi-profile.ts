import { customerIdOf } from './credentials.js';
import { leadCategories } from './lead-catalogue.js';
import { json } from './reply.js';
import { lookUp } from './scripted-replies.js';
import type { Route } from './world.js';

const required = [
  'first_name',
  'last_name',
  'mobile_no',
  'email',
  'dob',
  'company',
  'occupation',
  'monthly_salary',
  'itr_amount',
  'gender',
  'Gender',
  'pincode',
  'address',
  'category',
  'category_id',
  'pan',
  'pan_no',
] as const;

const shapes: Readonly<Record<string, RegExp>> = {
  mobile_no: /^[6-9]\d{9}$/,
  dob: /^\d{4}-\d{2}-\d{2}$/,
  company: /^\d+$/,
  occupation: /^\d+$/,
  pincode: /^\d+$/,
  gender: /^(Male|Female|Other)$/,
  category: /^(Individual|Non-Individual)$/,
  category_id: new RegExp(`^(${leadCategories.map(({ id }) => id).join('|')})$`),
  pan: /^[A-Z]{5}\d{4}[A-Z]$/,
};

const failure = (message: string) => ({ status: false, data: [], message });
const words = (name: string): string => name.replaceAll('_', ' ');

/** Returns the first problem of a profile, in the provider's words. Returns undefined if the profile is valid. */
function problemOf(fields: ReadonlyMap<string, string>, query: URLSearchParams): string | undefined {
  const get = (name: string): string => fields.get(name) ?? '';
  const missing = required.find((name) => get(name) === '');
  if (missing) return `The ${words(missing)} field is required.`;
  const wrong = Object.keys(shapes).find((name) => !shapes[name]?.test(get(name)));
  if (wrong) return `The ${words(wrong)} format is invalid.`;
  // The provider reads both spellings, and two fields from the query.
  if (get('pan') !== get('pan_no')) return 'The pan no format is invalid.';
  if (get('gender') !== get('Gender')) return 'The Gender format is invalid.';
  return ['mobile_no', 'category_id']
    .filter((name) => query.get(name) !== get(name))
    .map((name) => `The ${words(name)} field is required.`)[0];
}

/** Creates or updates the customer of a mobile number. A number keeps its customer ID, whether the ID is sent or not. */
export const upsertProfile: Route = async ({ fields, query }, { leads, scripts }) => {
  const problem = problemOf(fields, query);
  if (problem) return json(failure(problem));
  const mobile = fields.get('mobile_no') ?? '';
  const pan = fields.get('pan') ?? '';
  const categoryId = fields.get('category_id') ?? '';

  const panTakenReply = (mobileTail: string) =>
    failure(`Pan no ${pan} is associated with another mobile number XXXXXXXX${mobileTail}`);
  const store = async (mobileInReply: string | number, details: object): Promise<object> => {
    const mobileTail = leads.mobileTailOfPan(pan, customerIdOf(mobile));
    if (mobileTail !== undefined) return panTakenReply(mobileTail);
    const { customerId, created } = await leads.upsertCustomer(mobile, pan);
    return {
      status: true,
      data: { mobile_no: mobileInReply, profile_details: { customer_id: customerId, ...details } },
      message: `Customer profile has been ${created ? 'created' : 'updated'}.`,
    };
  };

  return lookUp(scripts.lookupOf(mobile), {
    success: () => store(mobile, { category_id: categoryId, product_id: null }),
    failure: () => panTakenReply('01'),
    odd: () => store(Number(mobile), { category_id: Number(categoryId) }),
  });
};

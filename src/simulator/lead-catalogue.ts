export interface LeadProduct {
  productId: string;
  categoryId: number;
  title: string;
  subTitle: string;
}

/** The live ids of product categories (interface.md 2.12, code tables). */
export const leadCategories = [
  { id: 3, title: 'Credit Cards' },
  { id: 4, title: 'Loans' },
  { id: 13, title: 'Bank Accounts' },
  { id: 17, title: 'Demat' },
  { id: 30, title: 'Credit Line' },
] as const;

const issuers = [
  'Meridian',
  'Sahyadri',
  'Coral',
  'Northwind',
  'Banyan',
  'Indus Valley',
  'Lotus',
  'Everest',
  'Konkan',
  'Deccan',
  'Himgiri',
  'Marigold',
  'Palmyra',
  'Sandstone',
] as const;

/** [title after the issuer's name, sub-title], one of them per issuer in turn. */
const offers: Readonly<Record<(typeof leadCategories)[number]['id'], readonly (readonly [string, string])[]>> = {
  3: [
    ['Travel Credit Card', 'Lounge access and air miles'],
    ['Cashback Credit Card', '5% cashback on bills'],
    ['Lifetime Free Credit Card', 'No joining or annual fee'],
  ],
  4: [
    ['Personal Loan', 'Up to Rs. 25 lakh in 24 hours'],
    ['Business Loan', 'Collateral free for traders'],
    ['Home Loan', 'Up to 30 years'],
  ],
  13: [
    ['Zero Balance Savings Account', 'Opened with video KYC'],
    ['Salary Account', 'Free transfers and debit card'],
  ],
  17: [
    ['Demat Account', 'No account opening fee'],
    ['Trading and Demat Account', 'Flat Rs. 20 per order'],
  ],
  30: [
    ['Credit Line', 'Interest only on what is used'],
    ['Pay Later', 'Up to 45 days free of interest'],
  ],
};

/** Leads for these end rejected and failed: see simulator.md. */
const scriptedProducts: readonly LeadProduct[] = [
  { productId: '99901', categoryId: 4, title: 'Cautious Personal Loan', subTitle: 'Ends rejected' },
  { productId: '99902', categoryId: 4, title: 'Broken Personal Loan', subTitle: 'Ends failed' },
];

/** 72 made-up products: each issuer in each category, and the two whose leads do not end well. */
export const leadProducts: readonly LeadProduct[] = [
  ...leadCategories.flatMap(({ id }) =>
    issuers.map((issuer, index) => {
      const offer = offers[id][index % offers[id].length] ?? ['Product', ''];
      return {
        productId: String(id * 1000 + 101 + index),
        categoryId: id,
        title: `${issuer} ${offer[0]}`,
        subTitle: offer[1],
      };
    }),
  ),
  ...scriptedProducts,
];

const productById = new Map(leadProducts.map((product) => [product.productId, product]));
export const leadProduct = (productId: string): LeadProduct | undefined => productById.get(productId);

const companyNames = [
  'Aravalli',
  'Brahmaputra',
  'Chambal',
  'Godavari',
  'Kaveri',
  'Narmada',
  'Nilgiri',
  'Tapti',
  'Vindhya',
  'Yamuna',
];
const companyTrades = ['Textiles', 'Foods', 'Software', 'Logistics', 'Steel', 'Pharma', 'Retail', 'Motors'];

export const companies = companyNames.flatMap((name, row) =>
  companyTrades.map((trade, column) => ({
    id: 216_001 + row * companyTrades.length + column,
    company_name: `${name} ${trade} Pvt Ltd`,
  })),
);

/** 2 is self-employed (interface.md 4.10, profile). */
export const occupations = [
  { id: 1, occu_title: 'Salaried' },
  { id: 2, occu_title: 'Self-employed' },
  { id: 3, occu_title: 'Self Employed (Professional)' },
  { id: 4, occu_title: 'Homemaker' },
  { id: 5, occu_title: 'Student' },
  { id: 6, occu_title: 'Retired' },
];

const postalAreas = [
  110001, 110016, 110075, 122001, 140301, 160017, 201301, 208001, 226001, 248001, 302001, 324005, 380001, 395003,
  400001, 400050, 400076, 411001, 440001, 452001, 462001, 500001, 500081, 520001, 530001, 560001, 560034, 560100,
  575001, 600001, 600028, 620001, 641001, 682001, 695001, 700001, 700091, 751001, 781001, 800001, 829208, 834001,
];

const postalArea = (pincode: number) => ({ id: pincode - 100_000, pincode });

/** The areas whose PIN code begins with the text; every well-formed whole code is known. The id is not the code. */
export function postalAreasOf(searchKey: string): { id: number; pincode: number }[] {
  if (/^[1-8]\d{5}$/.test(searchKey)) return [postalArea(Number(searchKey))];
  return postalAreas.filter((pincode) => String(pincode).startsWith(searchKey)).map(postalArea);
}

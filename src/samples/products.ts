export interface SampleCategory {
  id: number;
  title: string;
  /** Product ID, title, subtitle. */
  products: readonly (readonly [productId: string, title: string, subTitle: string])[];
}

/**
 * Categories of UAT. Credit Cards has another ID here (23) than in the common list (interface.md 2.12: 3), as in the provider's
 * own sample. Callers that read the category list are not affected. The products are samples, not offers.
 */
export const sampleCategories: readonly SampleCategory[] = [
  {
    id: 23,
    title: 'Credit Cards',
    products: [
      ['2301', 'SBI Card Everyday', 'Reward points on groceries and online orders'],
      ['2302', 'HDFC Bank Traveller', 'Airport lounges and no fee on foreign currency'],
      ['2303', 'ICICI Bank Rewards', 'Points on every purchase, no annual fee'],
      ['2304', 'Axis Bank Online', 'Cashback on bills, food and cabs'],
      ['2305', 'Kotak Fuel Saver', 'Fuel surcharge waived at every station'],
      ['2306', 'IDFC FIRST Classic', 'Lifetime free, points that never expire'],
      ['2307', 'AU Bank Starter', 'For a first card, with quarterly vouchers'],
      ['2308', 'RBL Bank Shopping', 'Monthly vouchers of leading stores'],
      ['2309', 'IndusInd Bank Platinum', 'Film tickets and travel cover'],
      ['2310', 'BOB Card Select', 'Five times the points on dining and bills'],
      ['2311', 'Federal Bank RuPay', 'Payments by UPI from the card'],
      ['2312', 'HSBC Cashback', 'Cashback on dining and groceries'],
      ['2313', 'Union Bank RuPay Women', 'Health check-up and wellness offers'],
    ],
  },
  {
    id: 4,
    title: 'Loans',
    products: [
      ['4001', 'HDFC Bank Personal Loan', 'For salaried applicants, up to 60 months'],
      ['4002', 'ICICI Bank Personal Loan', 'Digital application, money on the same day'],
      ['4003', 'Axis Bank Personal Loan', 'No charge for early closure after a year'],
      ['4004', 'Bajaj Finserv Flexi Loan', 'Draw and repay as needed'],
      ['4005', 'Tata Capital Personal Loan', 'Application without paper'],
      ['4006', 'IDFC FIRST Personal Loan', 'Top-up on a running loan'],
      ['4007', 'Kotak Business Loan', 'Working capital without security'],
      ['4008', 'SBI Home Loan', 'Interest on the daily balance'],
      ['4009', 'LIC Housing Home Loan', 'Terms of up to 30 years'],
      ['4010', 'Muthoot Gold Loan', 'Against jewellery, money within the hour'],
      ['4011', 'Aditya Birla Two-Wheeler Loan', 'Up to the full price on the road'],
      ['4012', 'Poonawalla Used Car Loan', 'Valuation at home'],
      ['4013', 'Lendingkart Small Business Loan', 'For traders with a GST registration'],
    ],
  },
  {
    id: 13,
    title: 'Bank Accounts',
    products: [
      ['1301', 'Kotak Digital Savings', 'Opened by video, no minimum balance'],
      ['1302', 'AU Bank Savings', 'Interest paid every month'],
      ['1303', 'IDFC FIRST Savings', 'No charge for everyday services'],
      ['1304', 'IndusInd Bank Online Savings', 'Choose your account number'],
      ['1305', 'Axis Bank Easy Savings', 'Debit card with cashback'],
      ['1306', 'HDFC Bank Regular Savings', 'Branch and online service'],
      ['1307', 'ICICI Bank Salary Account', 'For employees of listed companies'],
      ['1308', 'SBI Basic Savings', 'No minimum balance, RuPay card'],
      ['1309', 'Federal Bank Digital Savings', 'Opened with Aadhaar and PAN'],
      ['1310', 'Equitas Women Savings', 'Higher cash withdrawal limits'],
      ['1311', 'Ujjivan Senior Savings', 'Service at the doorstep'],
      ['1312', 'RBL Bank Current Account', 'For shops, with a QR code and soundbox'],
    ],
  },
  {
    id: 17,
    title: 'Demat',
    products: [
      ['1701', 'Zerodha Demat', 'Shares and funds on one screen'],
      ['1702', 'Upstox Demat', 'Opened on the phone in minutes'],
      ['1703', 'Angel One Demat', 'Research and advice included'],
      ['1704', 'Groww Demat', 'Shares, funds and futures'],
      ['1705', '5paisa Demat', 'Flat fee per order'],
      ['1706', 'ICICI Direct 3-in-1', 'Bank, trading and demat account together'],
      ['1707', 'HDFC Sky Demat', 'Flat fee per order, global stocks'],
      ['1708', 'Kotak Securities Demat', 'No fee on intraday trades'],
      ['1709', 'SBI Securities 3-in-1', 'Bank, trading and demat account together'],
      ['1710', 'Motilal Oswal Demat', 'Adviser by telephone'],
      ['1711', 'Dhan Demat', 'Charts for active traders'],
      ['1712', 'Paytm Money Demat', 'Shares, funds and pension'],
    ],
  },
  {
    id: 30,
    title: 'Credit Line',
    products: [
      ['3001', 'KreditBee Credit Line', 'Withdraw and repay in instalments'],
      ['3002', 'MoneyTap Credit Line', 'Interest only on what is drawn'],
      ['3003', 'Fibe Salary Advance', 'Part of the salary before pay day'],
      ['3004', 'mPokket Credit Line', 'Small amounts for young professionals'],
      ['3005', 'CASHe Credit Line', 'Decision within minutes'],
      ['3006', 'Stashfin Credit Line', 'With a prepaid card'],
      ['3007', 'Freo Pay Later', 'One bill for a month of purchases'],
      ['3008', 'LazyPay Pay Later', 'Pay merchants by one tap'],
      ['3009', 'Simpl Pay Later', 'Bill twice a month'],
      ['3010', 'Kissht Credit Line', 'Instalments on shopping'],
      ['3011', 'PayMe Credit Line', 'For salaried applicants'],
      ['3012', 'RupeeRedee Credit Line', 'Renewed after each repayment'],
    ],
  },
];

/** ID of Credit Cards in the common list, accepted in addition to the UAT ID. */
export const categoryAliases: Readonly<Record<number, number>> = { 3: 23 };

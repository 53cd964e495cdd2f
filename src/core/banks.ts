export interface Bank {
  /** Value of `opcode` in `fetchCardBill` and `payCardBill`. */
  opcode: string;
  name: string;
}

/** Card issuers from public sample code of the provider. Verify them with the provider before going live. */
export const banks: readonly Bank[] = [
  { opcode: 'AU', name: 'AU Bank' },
  { opcode: 'UTIB', name: 'Axis Bank' },
  { opcode: 'BDN', name: 'Bandhan Bank' },
  { opcode: 'BKID', name: 'Bank of India' },
  { opcode: 'BARB', name: 'BoB' },
  { opcode: 'CNRB', name: 'Canara' },
  { opcode: 'CSBONE', name: 'CSB One' },
  { opcode: 'CUB', name: 'CUB' },
  { opcode: 'DBS', name: 'DBS Bank' },
  { opcode: 'DCB', name: 'DCB Bank' },
  { opcode: 'DLBL', name: 'Dhanlaxmi Bank' },
  { opcode: 'CSB', name: 'Edge CSB Bank RuPay' },
  { opcode: 'ESAF', name: 'ESAF Bank' },
  { opcode: 'FDRL', name: 'Federal Bank' },
  { opcode: 'HSBC', name: 'HSBC' },
  { opcode: 'ICIC', name: 'ICICI' },
  { opcode: 'IBKL', name: 'IDBI Bank' },
  { opcode: 'IDFCB', name: 'IDFC FIRST Bank' },
  { opcode: 'IDIB', name: 'Indian Bank' },
  { opcode: 'INDB', name: 'IndusInd' },
  { opcode: 'IOBA', name: 'IOB' },
  { opcode: 'JAKB', name: 'Jammu and Kashmir Bank' },
  { opcode: 'KKBK', name: 'Kotak Mahindra Bank' },
  { opcode: 'ONEBOB', name: 'One - BOBCARD' },
  { opcode: 'ONEIDIB', name: 'One - Indian Bank' },
  { opcode: 'SIBL', name: 'One - South Indian Bank' },
  { opcode: 'PUNB', name: 'Punjab National Bank' },
  { opcode: 'RATN', name: 'RBL Bank' },
  { opcode: 'SRCB', name: 'Saraswat Co-operative Bank' },
  { opcode: 'SBIN', name: 'SBI' },
  { opcode: 'SBM', name: 'SBM Bank India' },
  { opcode: 'SLICE', name: 'SLICE Bank' },
  { opcode: 'SSFB', name: 'Suryoday SFB' },
  { opcode: 'TMB', name: 'Tamilnad Mercantile Bank' },
  { opcode: 'UBIN', name: 'Union Bank of India' },
];

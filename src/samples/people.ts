import { samplePick } from './values.js';

const names = [
  'Aarti Rani Sharma',
  'Abdul Rahim Khan',
  'Ajay Kumar Verma',
  'Amit Kumar Agarwal',
  'Ananya Devi Das',
  'Anil Chandra Ghosh',
  'Arjun Singh Chauhan',
  'Asha Suresh Kulkarni',
  'Balwinder Singh Gill',
  'Deepa Mohan Menon',
  'Dinesh Lal Yadav',
  'Divya Ramesh Iyer',
  'Fatima Begum Shaikh',
  'Ganesh Prasad Mishra',
  'Gurpreet Kaur Sandhu',
  'Harish Chandra Joshi',
  'Imran Ali Ansari',
  'Joseph Mathew Thomas',
  'Karthik Venkat Reddy',
  'Kavita Rajesh Patel',
  'Lakshmi Narayan Rao',
  'Manish Kumar Gupta',
  'Maria Anita Fernandes',
  'Meena Kumari Meena',
  'Mukesh Chand Jain',
  'Nikhil Anand Deshmukh',
  'Pooja Ashok Mehta',
  'Pradeep Kumar Nair',
  'Rajesh Kumar Sinha',
  'Ravi Shankar Pillai',
  'Rohit Prakash Shetty',
  'Sandeep Singh Thakur',
  'Sneha Vijay Patil',
  'Subhash Chandra Banerjee',
  'Suresh Babu Naidu',
  'Vikram Singh Rathore',
] as const;

/** Returns a full name with three parts, for example "Pradeep Kumar Nair". */
export const samplePerson = (seed: string): string => samplePick(`person:${seed}`, names);

/** Returns a name as displayed by card issuers, with the first name hidden: "XXXX KUMAR NAIR". */
export const sampleCardholder = (seed: string): string => samplePerson(seed).replace(/^\S+/, 'XXXX').toUpperCase();

import type { DthPlanTable } from './plan-table.js';

/** Sample packs; they resemble what the operator sells and are no offer. */
export const dishTvPlans: DthPlanTable = {
  Combo: [
    [154, '30 Days', 'Free-to-air pack, 190 channels'],
    [179, '30 Days', 'Hindi Saver, 92 channels'],
    [201, '30 Days', 'Bharat Combo, 116 channels'],
    [219, '30 Days', 'Odia Combo, 108 channels'],
    [239, '30 Days', 'Super Family, 138 channels'],
    [259, '30 Days', 'Marathi Super Family, 144 channels'],
    [289, '30 Days', 'Maxi Sport, 159 channels with cricket'],
    [319, '30 Days', 'Classic Joy, 176 channels'],
    [349, '30 Days', 'Classic Joy HD, 182 channels, 26 HD'],
    [409, '30 Days', 'Titanium HD, 204 channels, 44 HD'],
    [499, '30 Days', 'Titanium Max HD, 238 channels, 66 HD'],
    [1150, '180 Days', 'Bharat Combo for six months, 116 channels'],
    [2249, '365 Days', 'Bharat Combo for a year, 116 channels'],
  ],
  AddOn: [
    [15, '30 Days', 'Bhojpuri cinema, 2 channels'],
    [20, '30 Days', 'Punjabi music, 3 channels'],
    [25, '30 Days', 'Children, 4 channels'],
    [34, '30 Days', 'Discovery and nature, 5 channels'],
    [40, '30 Days', 'English news, 4 channels'],
    [49, '30 Days', 'Sport SD, 4 channels'],
    [55, '30 Days', 'South cinema, 6 channels'],
    [69, '30 Days', 'Hindi theatre and plays without advertising'],
    [85, '30 Days', 'Sport HD, 6 channels'],
    [110, '30 Days', 'English films HD, 7 channels'],
  ],
};

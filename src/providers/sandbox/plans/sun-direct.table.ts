import type { DthPlanTable } from './plan-table.js';

/** Sample packs; they resemble what the operator sells and are no offer. */
export const sunDirectPlans: DthPlanTable = {
  Combo: [
    [154, '30 Days', 'Free-to-air pack, 180 channels'],
    [189, '30 Days', 'Tamil Economy, 105 channels'],
    [199, '30 Days', 'Malayalam Economy, 98 channels'],
    [219, '30 Days', 'Telugu Economy, 110 channels'],
    [233, '30 Days', 'Kannada Economy, 112 channels'],
    [259, '30 Days', 'Tamil Value, 142 channels with sport'],
    [279, '30 Days', 'Telugu Value, 149 channels with sport'],
    [299, '30 Days', 'South Value, 178 channels in four languages'],
    [330, '30 Days', 'Tamil Value HD, 150 channels, 24 HD'],
    [389, '30 Days', 'South Prime HD, 196 channels, 40 HD'],
    [455, '30 Days', 'South Mega HD, 224 channels, 58 HD'],
    [1099, '180 Days', 'Tamil Economy for six months, 105 channels'],
    [2199, '365 Days', 'Tamil Economy for a year, 105 channels'],
  ],
  AddOn: [
    [6, '30 Days', 'Marathi news, 1 channel'],
    [10, '30 Days', 'Malayalam music, 1 channel'],
    [19, '30 Days', 'Tamil music and comedy, 2 channels'],
    [22, '30 Days', 'Children in Tamil and Telugu, 3 channels'],
    [30, '30 Days', 'Hindi entertainment, 5 channels'],
    [40, '30 Days', 'Sport SD, 4 channels'],
    [48, '30 Days', 'Infotainment, 6 channels'],
    [65, '30 Days', 'Hindi cinema, 5 channels'],
    [75, '30 Days', 'Sport HD, 5 channels'],
    [89, '30 Days', 'English films and series, 7 channels'],
  ],
};

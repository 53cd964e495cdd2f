import type { DthPlanTable } from './plan-table.js';

/** Sample packs; they resemble what the operator sells and are no offer. */
export const videoconD2hPlans: DthPlanTable = {
  Combo: [
    [154, '30 Days', 'Free-to-air pack, 190 channels'],
    [185, '30 Days', 'Hindi Basic, 96 channels'],
    [207, '30 Days', 'Gold Hindi, 120 channels'],
    [225, '30 Days', 'Gold Telugu, 124 channels'],
    [245, '30 Days', 'Gold Maxi, 141 channels'],
    [269, '30 Days', 'Gold Sports, 152 channels with cricket'],
    [299, '30 Days', 'Diamond, 174 channels'],
    [329, '30 Days', 'Diamond South, 181 channels in four languages'],
    [365, '30 Days', 'Diamond HD, 186 channels, 27 HD'],
    [425, '30 Days', 'Platinum HD, 212 channels, 46 HD'],
    [529, '30 Days', 'Platinum Premium HD, 245 channels, 68 HD'],
    [1185, '180 Days', 'Gold Hindi for six months, 120 channels'],
    [2319, '365 Days', 'Gold Hindi for a year, 120 channels'],
  ],
  AddOn: [
    [14, '30 Days', 'Devotional, 2 channels'],
    [18, '30 Days', 'Bengali music and news, 3 channels'],
    [26, '30 Days', 'Children, 4 channels'],
    [32, '30 Days', 'Fitness and yoga lessons'],
    [38, '30 Days', 'Infotainment, 5 channels'],
    [47, '30 Days', 'Sport SD, 4 channels'],
    [58, '30 Days', 'Kannada and Malayalam cinema, 5 channels'],
    [72, '30 Days', 'Hindi cinema HD, 5 channels'],
    [88, '30 Days', 'Sport HD, 6 channels'],
    [115, '30 Days', 'English films HD, 8 channels'],
  ],
};

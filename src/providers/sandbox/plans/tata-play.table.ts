import type { DthPlanTable } from './plan-table.js';

/** Sample packs; they resemble what the operator sells and are no offer. */
export const tataPlayPlans: DthPlanTable = {
  Combo: [
    [153, '1 Month', 'Free-to-air pack, 210 channels'],
    [203, '1 Month', 'Hindi Starter, 104 channels'],
    [220, '1 Month', 'Gujarati Starter, 110 channels'],
    [249, '1 Month', 'Hindi Smart, 129 channels'],
    [277, '1 Month', 'Marathi Smart, 136 channels'],
    [299, '1 Month', 'Hindi Super, 158 channels with sport'],
    [315, '1 Month', 'Tamil Super, 149 channels with sport'],
    [355, '1 Month', 'Hindi Super HD, 164 channels, 28 HD'],
    [399, '1 Month', 'Family Sports HD, 188 channels, 36 HD'],
    [450, '1 Month', 'Premium Sports HD, 215 channels, 52 HD'],
    [599, '1 Month', 'Premium English HD, 248 channels, 84 HD'],
    [1218, '6 Months', 'Hindi Starter for six months, 104 channels'],
    [2436, '12 Months', 'Hindi Starter for a year, 104 channels'],
    [3588, '12 Months', 'Hindi Super for a year, 158 channels'],
  ],
  AddOn: [
    [12, '1 Month', 'Astrology and devotion, 2 services'],
    [22, '1 Month', 'Children mini, 3 channels'],
    [30, '1 Month', 'Regional news, 5 channels'],
    [45, '1 Month', 'Sport mini, 4 channels'],
    [50, '1 Month', 'Knowledge and lifestyle, 6 channels'],
    [59, '1 Month', 'Classic films without advertising'],
    [69, '1 Month', 'Cooking and handicraft lessons'],
    [75, '1 Month', 'Hindi cinema HD, 5 channels'],
    [99, '1 Month', 'Sport HD, 7 channels'],
    [149, '1 Month', 'English films and series HD, 9 channels'],
    [199, '1 Month', 'Video apps on television, 12 apps'],
  ],
};

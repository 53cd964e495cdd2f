import type { DthPlanTable } from './plan-table.js';

/** Sample packs that resemble those of the operator. They are not offers. */
export const airtelDthPlans: DthPlanTable = {
  Combo: [
    [153, '30 Days', 'Free-to-air pack, 200 channels'],
    [199, '30 Days', 'Hindi Lite SD, 118 channels'],
    [229, '30 Days', 'Tamil Value SD, 146 channels'],
    [249, '30 Days', 'Telugu Value SD, 152 channels'],
    [265, '30 Days', 'Hindi Value SD, 162 channels with sport'],
    [299, '30 Days', 'Kannada Value HD, 171 channels, 14 HD'],
    [325, '30 Days', 'Hindi Family SD, 196 channels with sport and children'],
    [359, '30 Days', 'Bengali Family HD, 180 channels, 22 HD'],
    [399, '30 Days', 'Hindi Family HD, 205 channels, 31 HD'],
    [465, '30 Days', 'Hindi Mega HD, 231 channels, 48 HD'],
    [549, '30 Days', 'All India Premium HD, 262 channels, 70 HD'],
    [1195, '180 Days', 'Hindi Lite SD for six months, 118 channels'],
    [1749, '180 Days', 'Hindi Value SD for six months, 162 channels'],
    [3499, '365 Days', 'Hindi Family SD for a year, 196 channels'],
  ],
  AddOn: [
    [12, '30 Days', 'Devotional, 1 channel'],
    [19, '30 Days', 'Children, 3 channels'],
    [24, '30 Days', 'News in English, 5 channels'],
    [35, '30 Days', 'Discovery and nature, 6 channels'],
    [43, '30 Days', 'Sport SD, 4 channels'],
    [59, '30 Days', 'Regional cinema, 5 channels'],
    [59, '30 Days', 'Hit films without advertising'],
    [79, '30 Days', 'Sport HD, 6 channels'],
    [99, '30 Days', 'English films HD, 8 channels'],
    [199, '90 Days', 'Classical dance and music lessons'],
  ],
};

/** Sample packs that resemble those of the operator. They are not offers. */
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

/** Sample packs that resemble those of the operator. They are not offers. */
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

/** Sample packs that resemble those of the operator. They are not offers. */
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

/** Sample packs that resemble those of the operator. They are not offers. */
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

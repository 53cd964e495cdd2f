import type { DthPlanTable } from './plan-table.js';

/** Sample packs; they resemble what the operator sells and are no offer. */
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

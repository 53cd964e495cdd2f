import type { ReactNode } from 'react';

/** Icons of the portal: one path each, on a grid of 20 × 20. */
const PATHS = {
  home: 'M3 9.5 10 4l7 5.5M5 8.5V16h10V8.5M8.5 16v-4h3v4',
  key: 'M12.5 3.5a4 4 0 1 1-3.6 5.7L3 15v2h3v-2h2v-2h1.5l1.6-1.6',
  grid: 'M3.5 3.5h5v5h-5zM11.5 3.5h5v5h-5zM3.5 11.5h5v5h-5zM11.5 11.5h5v5h-5z',
  people:
    'M7.5 9a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM3 16c0-2.5 2-4.2 4.5-4.2S12 13.5 12 16M13 4.3a2.4 2.4 0 0 1 0 4.5M14.5 12c1.6.6 2.5 2 2.5 4',
  person: 'M10 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM4.5 16.5c0-3 2.4-5 5.5-5s5.5 2 5.5 5',
  shield: 'M10 3 4.5 5v4.5c0 3.4 2.2 6 5.5 7.5 3.3-1.5 5.5-4.1 5.5-7.5V5zM7.5 10l2 2 3.5-4',
  lock: 'M5 9h10v7.5H5zM7 9V6.5a3 3 0 0 1 6 0V9M10 12v2',
  book: 'M4 4.5h5.2c.5 0 .8.3.8.8V16c0-.6-.4-1-1-1H4zM16 4.5h-5.2c-.5 0-.8.3-.8.8V16c0-.6.4-1 1-1h5z',
  terminal: 'M3.5 5.5 7.5 9l-4 3.5M9.5 13.5h6',
  find: 'M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM13 13l4 4',
  list: 'M7 5.5h9.5M7 10h9.5M7 14.5h9.5M3.5 5.5h.5M3.5 10h.5M3.5 14.5h.5',
  wallet: 'M4 6h11.5c.6 0 1 .4 1 1v8c0 .6-.4 1-1 1H4.5c-.6 0-1-.4-1-1V5.5c0-.8.7-1.5 1.5-1.5H14M13.5 11h.5',
  hook: 'M3.5 10h7M7.5 6.5 11 10l-3.5 3.5M12 4.5h3c.8 0 1.5.7 1.5 1.5v8c0 .8-.7 1.5-1.5 1.5h-3',
  plug: 'M7 3v4M13 3v4M5 7h10v2.5a5 5 0 0 1-10 0zM10 14.5V17',
  menu: 'M3.5 6h13M3.5 10h13M3.5 14h13',
  close: 'M5 5l10 10M15 5 5 15',
  check: 'M4.5 10.5l3.5 3.5 7.5-8',
  coins: 'M6 4.5h8M6 8h8M6 4.5h2.5a3.4 3.4 0 0 1 0 6.9H6l6 5.1',
  flag: 'M5 17V3.5h9.5l-2 3.5 2 3.5H5',
  paper: 'M5 3.5h7l3 3V17H5zM12 3.5v3h3M7.5 10h5M7.5 13h5',
  two: 'M2.5 10.5l3 3 6-7M9 13.5l6.5-7',
  doubt: 'M7 7.2A3 3 0 1 1 11.2 10c-.8.4-1.2.9-1.2 1.8M10 15v.5',
  mail: 'M3.5 5h13v10h-13zM3.5 5.5 10 11l6.5-5.5',
  gear: 'M10 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM10 3v2M10 15v2M3 10h2M15 10h2M5 5l1.5 1.5M13.5 13.5 15 15M5 15l1.5-1.5M13.5 6.5 15 5',
  out: 'M8 4H4.5v12H8M12 6.5 15.5 10 12 13.5M15.5 10H8',
} as const;
export type IconName = keyof typeof PATHS;

export const Icon = ({ name }: { name: IconName }): ReactNode => (
  <svg className="icon" viewBox="0 0 20 20" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
);

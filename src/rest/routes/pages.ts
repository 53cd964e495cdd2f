/** The fields of a path that lists something page by page. */
export const pageFields = {
  cursor: {
    to: 'after',
    kind: 'text',
    optional: true,
    description: 'next_cursor of the page before this one.',
  },
  limit: { to: 'first', kind: 'number', optional: true, description: 'Entries of the page, 1 to 200; 20 without it.' },
} as const;

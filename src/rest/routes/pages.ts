/** Pagination parameters of a list. */
export const pageFields = {
  cursor: {
    to: 'after',
    kind: 'text',
    optional: true,
    description: 'Cursor of the page: next_cursor of the previous response.',
  },
  limit: {
    to: 'first',
    kind: 'number',
    optional: true,
    description: 'Number of entries per page, 1 to 200. Default 20.',
  },
} as const;

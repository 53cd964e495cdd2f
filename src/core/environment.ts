/** The two worlds of the API; the listener decides which one a request is in. */
export const environments = ['uat', 'production'] as const;
export type Environment = (typeof environments)[number];

/** The three listeners. */
export type Host = Environment | 'console';

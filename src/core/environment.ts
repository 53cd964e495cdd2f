/** The two environments of the API; the listener decides which one a request is in. */
export const environments = ['uat', 'production'] as const;
export type Environment = (typeof environments)[number];

/** The three listeners. */
export const hosts = [...environments, 'console'] as const;
export type Host = (typeof hosts)[number];

/** The two schemas: both API hosts serve the one, the console serves the other. */
export type Surface = 'api' | 'console';

export const surfaceOf = (host: Host): Surface => (host === 'console' ? 'console' : 'api');

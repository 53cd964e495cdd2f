/** The two environments of the API. The listener determines the environment of a request. */
export const environments = ['uat', 'production'] as const;
export type Environment = (typeof environments)[number];

/** The three listeners. */
export const hosts = [...environments, 'console'] as const;
export type Host = (typeof hosts)[number];

/** The two schemas: one for both API hosts, and one for the console. */
export type Surface = 'api' | 'console';

export const surfaceOf = (host: Host): Surface => (host === 'console' ? 'console' : 'api');

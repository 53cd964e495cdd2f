/** Environments of the API. The listener determines the environment of a request. */
export const environments = ['uat', 'production'] as const;
export type Environment = (typeof environments)[number];

export const hosts = [...environments, 'console'] as const;
export type Host = (typeof hosts)[number];

/** Schemas: one for both API hosts, and one for the console. */
export type Surface = 'api' | 'console';

export const surfaceOf = (host: Host): Surface => (host === 'console' ? 'console' : 'api');

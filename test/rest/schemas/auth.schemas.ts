import { exactly, filledText, instant, integer, text } from './common.js';

/** A token (interface.md 2.2 and 4.1). */
export const tokenResponse = (environment: 'uat' | 'production'): object =>
  exactly({
    token: { type: 'string', pattern: environment === 'uat' ? '^at_uat_[\\w-]{49}$' : '^at_live_[\\w-]{49}$' },
    token_type: { const: 'Bearer' },
    environment: { const: environment },
    base_url: { type: 'string', format: 'uri' },
    expires_at: instant,
    user: exactly({ id: integer, name: filledText, email: { type: 'string', format: 'email' } }),
  });

/** The current user (interface.md 2.3). */
export const currentUser = exactly({
  id: integer,
  name: filledText,
  email: { type: 'string', format: 'email' },
  roles: { const: ['developer'] },
  permissions: { type: 'array', items: text },
});

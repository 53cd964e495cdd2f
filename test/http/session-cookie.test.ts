import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/core/errors.js';
import { SessionCookie } from '../../src/http/requests/identification.js';

const request = (headers: Record<string, string>, host = 'console.example'): FastifyRequest =>
  ({ headers, host }) as unknown as FastifyRequest;
const secure = new SessionCookie('https://console.example');
const plain = new SessionCookie('http://127.0.0.1:4002');

describe('the session cookie', () => {
  it('has the __Host- prefix and Secure on https', () => {
    const header = secure.header({ token: 'ses_x', expiresAt: new Date(Date.now() + 60_500) });
    expect(header).toBe('__Host-session=ses_x; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=60');
    expect(secure.header('clear')).toBe('__Host-session=; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=0');
  });

  it('has neither on plain http, where browsers would not store it', () => {
    expect(plain.header('clear')).toBe('session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0');
  });

  it('is found among others by its exact name', () => {
    expect(secure.read(request({ cookie: 'a=1; __Host-session=ses_x ;b=2' }))).toBe('ses_x');
    expect(plain.read(request({ cookie: 'xsession=1; session=ses_y' }))).toBe('ses_y');
    for (const cookie of ['', 'session', 'session=', ';;', '__Host-sessionx=1'])
      expect(secure.read(request({ cookie }))).toBeUndefined();
  });

  it('is rejected on https if another subdomain could have set it', () => {
    expect(secure.read(request({ cookie: 'session=ses_planted' }))).toBeUndefined();
  });

  it.each([
    'https://evil.example',
    'http://console.example.evil',
    'http://console.example',
    'null',
    'https://console.example:8443',
    '',
  ])('is rejected for a page of %j', (origin) => {
    expect(() => secure.read(request({ cookie: '__Host-session=s', origin }))).toThrow(AppError);
  });

  it('is accepted for pages of the console, under any name that the browser uses for the host', () => {
    expect(secure.read(request({ cookie: '__Host-session=s', origin: 'https://console.example' }))).toBe('s');
    expect(plain.read(request({ cookie: 'session=s', origin: 'http://localhost:4002' }, 'localhost:4002'))).toBe('s');
  });

  it('is checked by comparing scheme, host and port with the name that the browser used', () => {
    const byOtherName = (origin: string) => () =>
      secure.read(request({ cookie: '__Host-session=s', origin }, 'console.internal.example:443'));
    expect(byOtherName('https://console.internal.example')()).toBe('s');
    for (const origin of ['http://console.internal.example', 'https://console.internal.example:8443'])
      expect(byOtherName(origin)).toThrow(AppError);
  });

  it('is not required, so cross-origin requests without a cookie are accepted', () => {
    expect(secure.read(request({ origin: 'https://evil.example' }))).toBeUndefined();
  });
});

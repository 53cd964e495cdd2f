import { generateSecret, generateURI, verifySync } from 'otplib';

/** What the names of entries in an authenticator begin with. */
const ISSUER = 'Recharge Gateway';
/** Clocks of telephones are some seconds wrong: the code before and the one after count too. */
const TOLERANCE_S = 30;

export const newTotpSecret = (): string => generateSecret();

/** `otpauth://…`, which an authenticator reads from a QR code. */
export const totpUri = (secret: string, email: string): string => generateURI({ issuer: ISSUER, label: email, secret });

/** "123 456", "123-456" and full-width digits → "123456"; undefined when it is no one-time code. */
export function oneTimeCode(text: string): string | undefined {
  const digits = text.normalize('NFKC').replaceAll(/[\s-]/g, '');
  return /^\d{6}$/.test(digits) ? digits : undefined;
}

/**
 * The period of 30 s whose code it is; undefined when it is wrong, or not after `lastPeriod`.
 *
 * @param lastPeriod whose code was taken last: no code counts twice
 */
export function periodOfCode(secret: string, token: string, lastPeriod: number | null | undefined): number | undefined {
  const result = verifySync({
    secret,
    token,
    epochTolerance: TOLERANCE_S,
    ...(lastPeriod == null ? {} : { afterTimeStep: lastPeriod }),
  });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}

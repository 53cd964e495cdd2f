import { generateSecret, generateURI, verifySync } from 'otplib';

/** Issuer shown in the authenticator app. */
const ISSUER = 'Recharge Gateway';
/** Tolerance for phone clocks, which differ by some seconds. The previous and the next code are therefore valid too. */
const TOLERANCE_S = 30;

export const newTotpSecret = (): string => generateSecret();

/** Returns the `otpauth://…` URI for a QR code. */
export const totpUri = (secret: string, email: string): string => generateURI({ issuer: ISSUER, label: email, secret });

/** Normalizes a one-time code: "123 456", "123-456" and full-width digits → "123456". Returns undefined for other texts. */
export function oneTimeCode(text: string): string | undefined {
  const digits = text.normalize('NFKC').replaceAll(/[\s-]/g, '');
  return /^\d{6}$/.test(digits) ? digits : undefined;
}

/**
 * Returns the period of 30 s to which a code belongs, or undefined if the code is wrong or not later than `lastPeriod`.
 *
 * @param lastPeriod period of the last accepted code, so that no code is accepted twice
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

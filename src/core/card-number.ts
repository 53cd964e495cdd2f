/** The check digit of payment cards (ISO/IEC 7812). */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place]);
    const doubled = place % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/**
 * Whether a text holds a whole card number: 12 to 19 digits in a row that pass the check digit, however they are grouped by
 * blanks and punctuation. Such a text must never be stored, logged or sent on.
 */
export function holdsCardNumber(text: string): boolean {
  const runs = text.replace(/[^A-Za-z0-9]/g, '').match(/\d+/g) ?? [];
  return runs.some((run) => run.length >= 12 && run.length <= 19 && passesLuhn(run));
}

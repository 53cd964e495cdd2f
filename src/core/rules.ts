import 'reflect-metadata';

import { isEmail, registerDecorator } from 'class-validator';
import { InputType } from 'type-graphql';
import type { Paise } from './money.js';

/**
 * The rules of input fields. Each is a class-validator decorator with a message of ours that never quotes the value. They run
 * in the one validator (graphql/input.ts), after trimming. An absent value passes: whether it may be absent is the schema's.
 */
function rule<T>(name: string, message: string, accepts: (value: T) => boolean): PropertyDecorator {
  return register(name, message, (value) => value === undefined || value === null || accepts(value as T));
}

function register(
  name: string,
  message: string,
  validate: (value: unknown, object: object) => boolean,
): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: String(property),
      options: { message },
      validator: { validate: (value, args) => validate(value, args?.object ?? {}) },
    });
}

/** Non-empty, at most `max` characters, no control characters. */
export const Text = (max: number): PropertyDecorator =>
  rule<string>(
    'text',
    `Must be 1 to ${max} characters of printable text.`,
    (value) => value.length > 0 && [...value].length <= max && !/\p{Cc}/u.test(value),
  );

export const TenDigits = (): PropertyDecorator =>
  rule<string>('tenDigits', 'Must be exactly 10 digits.', (value) => /^\d{10}$/.test(value));

export const IndianMobile = (): PropertyDecorator =>
  rule<string>('indianMobile', 'Must be an Indian mobile number: 10 digits, the first one 6 to 9.', (value) =>
    /^[6-9]\d{9}$/.test(value),
  );

/** A permanent account number, lower case accepted: whoever uses it turns it into upper case. */
export const Pan = (): PropertyDecorator =>
  rule<string>('pan', 'Must be a PAN: 5 letters, 4 digits, 1 letter.', (value) => /^[A-Z]{5}\d{4}[A-Z]$/i.test(value));

/** An e-mail address of at most 254 characters. */
export const Email = (): PropertyDecorator =>
  rule<string>('email', 'Must be an e-mail address.', (value) => value.length <= 254 && isEmail(value));

export const Pattern = (pattern: RegExp, message: string): PropertyDecorator =>
  rule<string>('pattern', message, (value) => pattern.test(value));

export const PositiveInteger = (): PropertyDecorator =>
  rule<number>(
    'positiveInteger',
    'Must be a whole number greater than 0.',
    (value) => Number.isInteger(value) && value > 0,
  );

export const PositiveAmount = (): PropertyDecorator =>
  rule<Paise>('positiveAmount', 'Must be greater than 0.', (value) => value > 0n);

export const NonNegativeAmount = (): PropertyDecorator =>
  rule<Paise>('nonNegativeAmount', 'Must not be negative.', (value) => value >= 0n);

/** A rule that looks at the whole input; it also runs when the field is absent. */
export const Agrees = <T extends object>(accepts: (input: T) => boolean, message: string): PropertyDecorator =>
  register('agrees', message, (_value, object) => accepts(object as T));

const inputClasses = new Map<string, new () => object>();

/** A GraphQL input type whose class-validator rules the one validator knows by the type's name. */
export function Input(options: { description: string }): ClassDecorator {
  return (target) => {
    inputClasses.set(target.name, target as never);
    InputType(options)(target);
  };
}

export const inputClassOf = (typeName: string): (new () => object) | undefined => inputClasses.get(typeName);

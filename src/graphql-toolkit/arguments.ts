import { Args, Extensions } from 'type-graphql';

/**
 * Declares the arguments of a field by an `@ArgsType` class with validation rules. TypeGraphQL's own `@Args` would
 * ignore the rules. The validator (input.ts) finds them through the extensions of the field.
 */
export const Arguments =
  (type: new () => object): ParameterDecorator =>
  (target, method, index) => {
    Args(() => type)(target, method!, index);
    Extensions({ arguments: type })(target, method!);
  };

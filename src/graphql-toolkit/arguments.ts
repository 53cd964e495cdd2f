import { Args, Extensions } from 'type-graphql';

/**
 * The arguments of a field, declared by a class of `@ArgsType` with validation rules. TypeGraphQL's own `@Args` would ignore
 * the rules. The validator (input.ts) finds them through the extension of the field.
 */
export const Arguments =
  (type: new () => object): ParameterDecorator =>
  (target, method, index) => {
    Args(() => type)(target, method!, index);
    Extensions({ arguments: type })(target, method!);
  };

import { Args, Extensions } from 'type-graphql';

/**
 * The arguments of a field, declared by a class of `@ArgsType` with the rules of each. TypeGraphQL's own `@Args` would leave the
 * rules out: the one validator (input.ts) finds them by the field's extension.
 */
export const Arguments =
  (type: new () => object): ParameterDecorator =>
  (target, method, index) => {
    Args(() => type)(target, method!, index);
    Extensions({ arguments: type })(target, method!);
  };

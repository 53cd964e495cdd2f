import { FieldResolver, Resolver, Root } from 'type-graphql';
import { Viewer } from '../../accounts/people/session.types.js';
import { permittedRoots } from './access.js';

/** Permissions of the signed-in user according to the policy table, so that clients display only permitted actions. */
@Resolver(() => Viewer)
export class ViewerPermissionsResolver {
  @FieldResolver(() => [String], {
    description:
      'Names of the root fields that the user can use, in alphabetical order. A field can still reject the ID of an object that belongs to another account.',
  })
  permissions(@Root() { role, teamRole, mustEnroll }: Viewer): string[] {
    return permittedRoots({ role, teamRole }, mustEnroll);
  }
}

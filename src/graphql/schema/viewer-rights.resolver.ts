import { FieldResolver, Resolver, Root } from 'type-graphql';
import { Viewer } from '../../accounts/people/session.types.js';
import { rootsOpenTo } from './access.js';

/** What the table of access says of somebody, so that a console shows nobody a button that refuses them. */
@Resolver(() => Viewer)
export class ViewerRightsResolver {
  @FieldResolver(() => [String], {
    description:
      'The root fields of this graph that the user may use now, by name, in the order of the alphabet. What they are asked about may still be somebody else’s.',
  })
  may(@Root() { role, teamRole, mustEnroll }: Viewer): string[] {
    return rootsOpenTo({ role, teamRole }, mustEnroll);
  }
}

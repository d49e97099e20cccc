/** Encodes who sees a thing. */
import type { Owned } from '../../port/store/owned';
import { shownMember } from './member_names';

export const toWireOwned = ({ owner, visibility, sharedWith = [] }: Owned) =>
  owner === undefined && visibility === undefined ? {} : { owner, visibility, sharedWith: sharedWith.map(shownMember) };

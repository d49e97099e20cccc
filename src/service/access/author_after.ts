/** Says whose words a job or a hook has after a change. */
import { ownerOf } from './session_access';

/**
 * Returns the key or the person for whom its runs count. What a person has changed is that person's, and nobody speaks in the name of a person. Between
 * keys without people it stays with the first one.
 */
export const authorAfter = <T extends string | undefined>(before: T, editor: string | undefined): T | string =>
  editor !== undefined && (ownerOf(before) ?? ownerOf(editor)) !== undefined ? editor : before;

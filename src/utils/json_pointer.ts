/** JSON pointers (RFC 6901): `/tools/0` names the first item of `tools`. */

/** Writes a key as one part of a pointer. */
export const escapeKey = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** Returns the keys and indexes of a pointer, from the outside in. */
export const keysOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'));

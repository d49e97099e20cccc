/** Path of the gateway's root, with a slash at the end: a reverse proxy may show the gateway below a path. public/first_paint.js finds it. */
export const ROOT = globalThis.document?.documentElement?.dataset?.['root'] ?? '/';

/**
 * Names something that the browser keeps for this gateway, such as a key of localStorage, a database or a lock: an origin may show several gateways, each
 * below its own path. A gateway at the root of the origin has the plain name.
 */
export const nameHere = (name: string): string => (ROOT === '/' ? name : `${name} ${ROOT}`);

/** Returns true for a name that `nameHere` gave for this gateway. */
export const isNamedHere = (name: string): boolean => (ROOT === '/' ? !/ \/.*\/$/.test(name) : name.endsWith(` ${ROOT}`));

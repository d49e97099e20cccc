/** Path of the gateway's root, with a slash at the end: a reverse proxy may show the gateway below a path. public/first_paint.js finds it. */
export const ROOT = globalThis.document?.documentElement?.dataset?.['root'] ?? '/';

/** undici, which is loaded with the first connection: it takes 2 MB. */
export const undici = (): typeof import('undici') => require('undici');

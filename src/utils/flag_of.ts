/** Returns the boolean that a query parameter says; undefined without one. */
export const flagOf = (text: 'true' | 'false' | undefined): boolean | undefined => (text === undefined ? undefined : text === 'true');

/** Converts a time of the store, in milliseconds since 1970, to the seconds of OpenAI's API. */
export const toSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

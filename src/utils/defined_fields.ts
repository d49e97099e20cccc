/** Copies an object without its undefined fields, for readers that count or list the keys. */
export const definedFields = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T;

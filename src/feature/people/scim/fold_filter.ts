/** Filters compare names and addresses without regard to case, as RFC 7643 says of these attributes; the library compares exactly. */
import { type ScimFilter, scimLibrary } from './scim_library';

/** Attributes whose `caseExact` is false, in small letters. */
const FOLDED = new Set(['username', 'displayname', 'formatted', 'value', 'display']);

/** Returns the resources that the filter chooses. */
export function choose<T extends object>(resources: readonly T[], filter: ScimFilter | undefined): T[] {
  if (!filter) return [...resources];
  const { Filter } = scimLibrary().Types;
  const folded = new Filter(filter.map(expression => fold(expression)) as ConstructorParameters<typeof Filter>[0]);
  return resources.filter(resource => folded.match([fold(resource)] as Parameters<typeof folded.match>[0]).length > 0);
}

/** Writes the texts of these attributes in small letters. `name`: the attribute that the value belongs to. */
function fold(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return FOLDED.has(name.toLowerCase()) ? value.toLowerCase() : value;
  if (Array.isArray(value)) return value.map(item => fold(item, name));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fold(item, key)]));
}

/** Errors inside the handlers of the library, which takes every error but its own for a missing resource. */
import { scimLibrary } from './scim_library';

/** Resolves as `work` does. What `work` throws becomes the cause of an error of the library, unless it is one. */
export async function keepCause<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const ScimError = scimLibrary().Types.Error;
    if (thrown instanceof ScimError) throw thrown;
    throw Object.assign(new ScimError(500, '', 'failed'), { cause: thrown });
  }
}

export function noResource(id: string): never {
  throw new (scimLibrary().Types.Error)(404, '', `There is no resource ${id.slice(0, 100)}.`);
}

export const notUnique = (attribute: string): Error =>
  new (scimLibrary().Types.Error)(409, 'uniqueness', `${attribute}: somebody else has this value.`);

/** SCIMMY, which knows the schemas, filters, changes and pages of SCIM 2.0 (RFC 7643 and 7644). It is loaded with the first request. */
import type Scimmy from 'scimmy';
import { API_PATH } from './scim_error';

export type ScimUser = InstanceType<typeof Scimmy.Schemas.User>;
export type ScimGroup = InstanceType<typeof Scimmy.Schemas.Group>;
export type ScimFilter = InstanceType<typeof Scimmy.Types.Filter>;

/** Reads and changes resources of one kind for a caller. */
export interface ScimResources<T> {
  /** Resolves with the resource; with all that the filter chooses when `id` is absent. */
  read(id: string | undefined, filter: ScimFilter | undefined): Promise<T | T[]>;
  /** Makes a resource when `id` is absent, and changes one otherwise. */
  write(id: string | undefined, data: Partial<T>): Promise<T>;
  remove(id: string): Promise<void>;
}

/** The handlers of a request work with these. */
export interface ScimCall {
  users: ScimResources<ScimUser>;
  groups: ScimResources<ScimGroup>;
}

/** Most entries of one answer. */
export const MAX_RESULTS = 200;

let library: typeof Scimmy | undefined;

/** The library keeps its resources for the whole process, so the handlers get what they need with each call. */
export function scimLibrary(): typeof Scimmy {
  library ??= declare((require('scimmy') as typeof import('scimmy')).default);
  return library;
}

function declare(scimmy: typeof Scimmy): typeof Scimmy {
  const { Config, Resources } = scimmy;
  const name = 'API key';
  const description = 'A key with the scope admin as a bearer token.';
  Config.set({ patch: true, filter: MAX_RESULTS, sort: true, authenticationSchemes: [{ type: 'oauthbearertoken', name, description }] });
  Resources.declare(Resources.User.basepath(API_PATH) as typeof Resources.User)
    .ingress((resource, data, { users }: ScimCall) => users.write(resource.id, data))
    .egress((resource, { users }: ScimCall) => users.read(resource.id, resource.filter))
    .degress((resource, { users }: ScimCall) => users.remove(resource.id ?? ''));
  Resources.declare(Resources.Group.basepath(API_PATH) as typeof Resources.Group)
    .ingress((resource, data, { groups }: ScimCall) => groups.write(resource.id, data))
    .egress((resource, { groups }: ScimCall) => groups.read(resource.id, resource.filter))
    .degress((resource, { groups }: ScimCall) => groups.remove(resource.id ?? ''));
  Resources.ServiceProviderConfig.basepath(API_PATH);
  Resources.ResourceType.basepath(API_PATH);
  Resources.Schema.basepath(API_PATH);
  return scimmy;
}

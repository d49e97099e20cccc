/** Calls the library for a request, and answers in its media type. */
import { principalOf } from '../../../controller/http_request';
import type { RestController } from '../../../controller/route';
import type { ScimDeps } from './scim_deps';
import { API_PATH, SCIM_TYPE, scimError } from './scim_error';
import { ScimGroups } from './scim_groups';
import { MAX_RESULTS, type ScimCall, scimLibrary } from './scim_library';
import { ScimUsers } from './scim_users';

type Context = RestController['ctx'];
type Library = ReturnType<typeof scimLibrary>;
type ScimChange = Parameters<InstanceType<Library['Resources']['User']>['patch']>[0];

/** Makes what the handlers of the library work with. */
export function callFor(ctx: Context, deps: ScimDeps): ScimCall {
  const caller = principalOf(ctx);
  return { users: new ScimUsers(deps, caller), groups: new ScimGroups(deps, caller) };
}

/** Answers with what the library resolves; 204 for nothing. Errors of the library are answers, too. */
export async function answer(ctx: Context, work: (resources: Library['Resources']) => Promise<unknown>): Promise<string | undefined> {
  const { Resources, Types } = scimLibrary();
  ctx.type = SCIM_TYPE;
  try {
    const found = await work(Resources);
    if (found === undefined) {
      ctx.status = 204;
      return;
    }
    const text = toJson(found, ctx);
    const { location }: { location?: string } = JSON.parse(text).meta ?? {};
    if (ctx.status === 201 && location) ctx.set('location', location);
    return text;
  } catch (thrown) {
    if (!(thrown instanceof Types.Error)) throw thrown;
    if (thrown.cause !== undefined) throw thrown.cause;
    ctx.status = thrown.status;
    return scimError(thrown.status, thrown.message, thrown.scimType || undefined);
  }
}

/** Returns which attributes the answer shall have. */
export function readAttributes({ query }: Context): object {
  const names = ['attributes', 'excludedAttributes'];
  return Object.fromEntries(names.flatMap(name => (typeof query[name] === 'string' ? [[name, query[name]]] : [])));
}

/** Returns the query as the library takes it: numbers are numbers, and an answer has at most as many entries as the configuration says. */
export function readQuery({ query }: Context): object {
  const text = (name: string): string | undefined => (typeof query[name] === 'string' ? (query[name] as string) : undefined);
  const number = (name: string, fallback: number): number => (/^-?\d{1,9}$/.test(text(name) ?? '') ? Number(text(name)) : fallback);
  const names = ['filter', 'sortBy', 'sortOrder', 'attributes', 'excludedAttributes'];
  const given = names.flatMap(name => (text(name) ? [[name, text(name)]] : []));
  const count = Math.min(Math.max(number('count', MAX_RESULTS), 0), MAX_RESULTS);
  return { ...Object.fromEntries(given), startIndex: Math.max(number('startIndex', 1), 1), count };
}

/** Returns JSON with the addresses of resources as this caller reaches them. */
function toJson(found: unknown, ctx: Context): string {
  const { publicAddress, basePath } = ctx.state;
  const root = `${publicAddress.protocol}://${publicAddress.host}${basePath}`;
  const isOwn = (value: unknown): value is string => typeof value === 'string' && value.startsWith(`${API_PATH}/`);
  return JSON.stringify(found, (key, value) => ((key === 'location' || key === '$ref') && isOwn(value) ? root + value : value));
}

/** Reads the booleans of a change that a directory wrote as text, as Microsoft Entra does: `"active": "False"`. */
export function readChange(change: { Operations?: unknown }): ScimChange {
  const { Operations: operations } = change;
  if (!Array.isArray(operations)) return change as ScimChange;
  return {
    ...change,
    Operations: operations.map(operation => (isObject(operation) ? { ...operation, ...readActive(operation) } : operation)),
  } as ScimChange;
}

function readActive({ path, value }: { path?: unknown; value?: unknown }): object {
  if (path === 'active') return { value: toBoolean(value) };
  return path === undefined && isObject(value) && 'active' in value ? { value: { ...value, active: toBoolean(value['active']) } } : {};
}

const toBoolean = (value: unknown): unknown =>
  typeof value === 'string' && /^(?:true|false)$/i.test(value) ? value.toLowerCase() === 'true' : value;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads NETA_API_KEYS: `name:secret:tenant:scope+scope`, separated by commas. No error sentence holds a secret. */
import { DEFAULT_TENANT, LOCAL_KEY_NAME, SCOPES, type Scope } from '../../src/port/principal';
import { SettingError } from './read_values';

/** A key of the operator. */
export interface ConfiguredApiKey {
  name: string;
  secret: string;
  tenantId: string;
  scopes: readonly Scope[];
}

/** Characters of a secret. */
const MIN_SECRET = 16;
/** The name is a part of the id of the key, which has at most 64 letters, digits, underscores and hyphens: `env-<name>`. */
const NAME = /^[\w-]{1,60}$/;
const TENANT = /^[\w-]{1,64}$/;

/** Throws a SettingError that names the item by its position, and by its name when that can be no secret. */
export function readApiKeys(text: string | undefined): ConfiguredApiKey[] {
  const items = (text ?? '').split(',').flatMap(item => item.trim() || []);
  const keys = items.map(readItem);
  for (const [i, { name, secret }] of keys.entries()) {
    const earlier = keys.slice(0, i);
    if (earlier.some(key => key.name === name)) throw refusal(i, name, 'the name is used twice.');
    if (earlier.some(key => key.secret === secret)) throw refusal(i, name, 'the secret is that of another key.');
  }
  return keys;
}

function readItem(item: string, i: number): ConfiguredApiKey {
  const [name = '', secret, tenantId = '', ...scopes] = item.split(':').map(part => part.trim());
  const isMixedUp = secret === undefined || (secret.length < MIN_SECRET && name.length >= MIN_SECRET);
  const shown = NAME.test(name) && !isMixedUp ? name : undefined;
  if (secret === undefined) throw refusal(i, shown, 'it must be name:secret:tenant:scope+scope.');
  if (!NAME.test(name))
    throw refusal(i, shown, 'the name must have 1 to 60 letters, digits, underscores or hyphens; it is a part of the id of the key.');
  if (name === LOCAL_KEY_NAME) throw refusal(i, shown, `${LOCAL_KEY_NAME} stands for callers without a key; choose another name.`);
  if (secret.length < MIN_SECRET) throw refusal(i, shown, `the secret must have at least ${MIN_SECRET} characters.`);
  if (/\s/.test(secret)) throw refusal(i, shown, 'the secret must not contain spaces.');
  if (tenantId !== '' && !TENANT.test(tenantId)) {
    throw refusal(i, shown, 'the tenant must have 1 to 64 letters, digits, underscores or hyphens.');
  }
  return { name, secret, tenantId: tenantId || DEFAULT_TENANT, scopes: readScopes(scopes.join(':'), i, shown) };
}

function readScopes(text: string, i: number, name: string | undefined): Scope[] {
  if (text === '') return ['chat'];
  const known: readonly string[] = SCOPES;
  const scopes = text.split('+');
  // A part in the wrong place may be the secret, so the part is not quoted.
  if (scopes.some(scope => !known.includes(scope))) throw refusal(i, name, `the scopes must be of ${SCOPES.join(', ')}, joined by +.`);
  return scopes as Scope[];
}

function refusal(i: number, name: string | undefined, rule: string): SettingError {
  return new SettingError(`NETA_API_KEYS, item ${i + 1}${name === undefined ? '' : ` (${name})`}: ${rule}`);
}

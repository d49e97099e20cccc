/** Checks config/roles.yaml: what each role may do, and for how many days its chats are kept, for all tenants and for single ones. */
import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { ConfigFile, ConfigReader } from '../../../port/config_files';
import { SCOPES, type Scope } from '../../../port/principal';
import { ROLE_SCOPES, ROLES, type Role } from '../../../port/roles';
import { checkConfigFile, refuseInvisibleText } from '../../../service/config_file_check';
import { says } from '../../../utils/bilingual';
import { escapeKey } from '../../../utils/json_pointer';
import { closedObject, Optional, oneOf } from '../../../utils/schema_types';

export const ROLES_FILE = 'roles.yaml';

const MAX_TENANTS = 1_000;
const MAX_DAYS = 36_500;

const scopesWithout = (left: readonly Scope[]) =>
  Optional.Array(oneOf(SCOPES.filter(scope => !left.includes(scope))), { maxItems: SCOPES.length });

/** Operators keep all scopes, and guests theirs. Only admins have `admin`, which they keep, so that somebody manages people. */
const Roles = closedObject({
  admin: scopesWithout([]),
  member: scopesWithout(['admin']),
  approver: scopesWithout(['admin']),
  viewer: scopesWithout(['admin']),
});

const days = Optional.Integer({ minimum: 0, maximum: MAX_DAYS });

/** Guests have no chats of their own. */
const KeepDays = closedObject(
  { operator: days, admin: days, member: days, approver: days, viewer: days },
  says(
    'days that chats of people with the role are kept after their last use; 0: for ever. A role that is left out in a tenant follows keepDays at the top, and a role that is left out there follows NETA_KEEP_SESSIONS_DAYS',
    '该角色人员的会话自最后使用起的保留天数；0 表示永久。租户中未写的角色遵循顶层的 keepDays，顶层也未写的遵循 NETA_KEEP_SESSIONS_DAYS',
  ),
);

const OfTenant = closedObject({ ...Roles.properties, keepDays: Type.Optional(KeepDays) });

export const ROLES_SCHEMA = closedObject({
  roles: Type.Optional(Roles),
  keepDays: Type.Optional(KeepDays),
  tenants: Type.Optional(
    Type.Record(Type.String({ pattern: '^[A-Za-z0-9_.-]{1,64}$' }), OfTenant, {
      additionalProperties: false,
      maxProperties: MAX_TENANTS,
      ...says('roles of single tenants; a role that is left out is as in roles', '单个租户的角色；未写的角色同 roles'),
    }),
  ),
});

const checker = TypeCompiler.Compile(ROLES_SCHEMA);

interface RoleRules {
  scopes: Readonly<Record<Role, readonly Scope[]>>;
  keepDays: Static<typeof KeepDays>;
}

export interface RoleTable {
  all: RoleRules;
  tenants: ReadonlyMap<string, RoleRules>;
  hash?: string | undefined;
}

export const BUILT_IN_ROLES: RoleTable = { all: { scopes: ROLE_SCOPES, keepDays: {} }, tenants: new Map() };

/** Rejects with one sentence that names file, field and line. */
export async function readRolesFile(files: ConfigReader): Promise<RoleTable> {
  const file = await files.readFile(ROLES_FILE);
  if (!file) return BUILT_IN_ROLES;
  refuseInvisibleText(file);
  const checked = checkConfigFile({ ...file, value: file.value ?? {} }, checker, 'a table of roles') as Static<typeof ROLES_SCHEMA>;
  const { roles = {}, keepDays = {}, tenants = {} } = checked;
  assertManaged(file, '/roles', roles);
  for (const [tenantId, own] of Object.entries(tenants)) assertManaged(file, `/tenants/${escapeKey(tenantId)}`, own);
  const all = { scopes: merge(ROLE_SCOPES, roles), keepDays };
  const ofTenant = ({ keepDays: own, ...scopes }: Static<typeof OfTenant>): RoleRules => ({
    scopes: merge(all.scopes, scopes),
    keepDays: { ...keepDays, ...own },
  });
  return { all, tenants: new Map(Object.entries(tenants).map(([tenantId, own]) => [tenantId, ofTenant(own)])), hash: file.hash };
}

function assertManaged(file: ConfigFile, pointer: string, { admin }: Static<typeof Roles>): void {
  if (admin && !admin.includes('admin')) throw file.problem(`${pointer}/admin`, 'must hold the scope admin: nobody could manage people');
}

function merge(usual: RoleRules['scopes'], own: Static<typeof Roles>): RoleRules['scopes'] {
  const rows = ROLES.map(role => [role, role === 'operator' ? usual.operator : (own[role] ?? usual[role])] as const);
  return Object.fromEntries(rows) as unknown as RoleRules['scopes'];
}

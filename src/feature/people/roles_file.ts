/** Checks config/roles.yaml: what each role may do, for all tenants and for single ones. */
import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { ConfigFile, ConfigReader } from '../../port/config_files';
import { SCOPES, type Scope } from '../../port/principal';
import { ROLE_SCOPES, ROLES, type Role } from '../../port/roles';
import { checkConfigFile, refuseInvisibleText } from '../../service/config_file_check';
import { says } from '../../utils/bilingual';
import { escapeKey } from '../../utils/json_pointer';
import { closedObject, Optional, oneOf } from '../../utils/schema_types';

export const ROLES_FILE = 'roles.yaml';

const MAX_TENANTS = 1_000;

const scopesWithout = (left: readonly Scope[]) =>
  Optional.Array(oneOf(SCOPES.filter(scope => !left.includes(scope))), { maxItems: SCOPES.length });

/** Operators keep all scopes, and guests theirs. Only admins have `admin`, which they keep, so that somebody manages people. */
const Roles = closedObject({
  admin: scopesWithout([]),
  member: scopesWithout(['admin']),
  approver: scopesWithout(['admin']),
  viewer: scopesWithout(['admin']),
});

export const ROLES_SCHEMA = closedObject({
  roles: Type.Optional(Roles),
  tenants: Type.Optional(
    Type.Record(Type.String({ pattern: '^[A-Za-z0-9_.-]{1,64}$' }), Roles, {
      additionalProperties: false,
      maxProperties: MAX_TENANTS,
      ...says('roles of single tenants; a role that is left out is as in roles', '单个租户的角色；未写的角色同 roles'),
    }),
  ),
});

const checker = TypeCompiler.Compile(ROLES_SCHEMA);

type RoleScopes = Readonly<Record<Role, readonly Scope[]>>;

export interface RoleTable {
  all: RoleScopes;
  tenants: ReadonlyMap<string, RoleScopes>;
  hash?: string | undefined;
}

export const BUILT_IN_ROLES: RoleTable = { all: ROLE_SCOPES, tenants: new Map() };

/** Rejects with one sentence that names file, field and line. */
export async function readRolesFile(files: ConfigReader): Promise<RoleTable> {
  const file = await files.readFile(ROLES_FILE);
  if (!file) return BUILT_IN_ROLES;
  refuseInvisibleText(file);
  const { roles = {}, tenants = {} } = checkConfigFile({ ...file, value: file.value ?? {} }, checker, 'a table of roles') as Static<
    typeof ROLES_SCHEMA
  >;
  assertManaged(file, '/roles', roles);
  for (const [tenantId, own] of Object.entries(tenants)) assertManaged(file, `/tenants/${escapeKey(tenantId)}`, own);
  const all = merge(ROLE_SCOPES, roles);
  return { all, tenants: new Map(Object.entries(tenants).map(([tenantId, own]) => [tenantId, merge(all, own)])), hash: file.hash };
}

function assertManaged(file: ConfigFile, pointer: string, { admin }: Static<typeof Roles>): void {
  if (admin && !admin.includes('admin')) throw file.problem(`${pointer}/admin`, 'must hold the scope admin: nobody could manage people');
}

function merge(usual: RoleScopes, own: Static<typeof Roles>): RoleScopes {
  const rows = ROLES.map(role => [role, role === 'operator' ? usual.operator : (own[role] ?? usual[role])] as const);
  return Object.fromEntries(rows) as unknown as RoleScopes;
}

/** Checks config/login.yaml: where people log in beside their password. */
import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { ConfigFile, ConfigReader } from '../../../port/config_files';
import type { OidcProvider } from '../../../port/oidc';
import { DEFAULT_TENANT } from '../../../port/principal';
import { ROLES, type Role } from '../../../port/roles';
import { checkConfigFile, refuseInvisibleText } from '../../../service/config_file_check';
import { says } from '../../../utils/bilingual';
import { isLoopbackHost } from '../../../utils/loopback_address';
import { closedObject, Optional, oneOf } from '../../../utils/schema_types';

export const LOGIN_FILE = 'login.yaml';

const TEXT = { minLength: 1, maxLength: 500 };
const Provider = closedObject({
  id: Type.String({
    pattern: '^[a-z0-9][a-z0-9-]{0,31}$',
    ...says('stands in addresses: /auth/<id>/callback', '出现在地址中：/auth/<id>/callback'),
  }),
  name: Optional.String({ minLength: 1, maxLength: 60, ...says('the text of the button', '按钮上的文字') }),
  issuer: Type.String(TEXT),
  clientId: Type.String(TEXT),
  clientSecretEnv: Optional.String({
    pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
    ...says('the variable that has the secret', '保存密钥的环境变量'),
  }),
  scopes: Optional.Array(Type.String({ pattern: '^[\\x21\\x23-\\x5B\\x5D-\\x7E]{1,100}$' }), { maxItems: 20 }),
  groupsClaim: Optional.String({
    minLength: 1,
    maxLength: 100,
    ...says('the claim with the groups; groups when left out', '包含组的声明，省略时为 groups'),
  }),
  groups: Type.Optional(Type.Record(Type.String({ minLength: 1, maxLength: 200 }), oneOf(ROLES))),
  tenant: Optional.String({ pattern: '^[A-Za-z0-9_.-]{1,64}$' }),
  trustEmail: Optional.Boolean(
    says('take addresses for verified that the provider does not call so', '即使登录服务器未声明已验证，也视地址为已验证'),
  ),
});

const LoginFile = closedObject({
  providers: Optional.Array(Provider, { maxItems: 20 }),
  password: Optional.Boolean(says('false: people log in at providers alone', 'false 表示只能通过登录服务器登录')),
  requireSecondFactor: Optional.Array(oneOf(ROLES), {
    maxItems: ROLES.length,
    ...says(
      'roles whose people need an authenticator app beside their password before they may do anything else',
      '这些角色的人除密码外还须有验证器应用，之后才能做其他事情',
    ),
  }),
});

const checker = TypeCompiler.Compile(LoginFile);

export interface LoginProvider extends OidcProvider {
  id: string;
  name: string;
  tenantId: string;
  groupsClaim: string;
  /** Group -> role. */
  groups: ReadonlyMap<string, Role>;
  trustEmail: boolean;
}

export interface LoginConfig {
  providers: readonly LoginProvider[];
  password: boolean;
  /** Roles whose people need an authenticator app beside their password. */
  requireSecondFactor: readonly Role[];
  hash?: string | undefined;
}

export const NO_LOGIN_FILE: LoginConfig = { providers: [], password: true, requireSecondFactor: [] };

/** `secretOf`: reads a variable. Rejects with one sentence that names file, field and line. */
export async function readLoginFile(files: ConfigReader, secretOf: (name: string) => string | undefined): Promise<LoginConfig> {
  const file = await files.readFile(LOGIN_FILE);
  if (!file) return NO_LOGIN_FILE;
  refuseInvisibleText(file);
  const written = checkConfigFile({ ...file, value: file.value ?? {} }, checker, 'a list of login providers') as Static<typeof LoginFile>;
  const { providers = [], password = true, requireSecondFactor = [] } = written;
  if (!password && providers.length === 0) throw file.problem('/password', 'is false, and no provider is named: nobody could log in');
  const ids = providers.map(({ id }) => id);
  for (const [index, id] of ids.entries())
    if (ids.indexOf(id) !== index) throw file.problem(`/providers/${index}/id`, `${id} is the id of another provider, too`);
  return {
    providers: providers.map((provider, index) => toProvider(provider, { index, file, secretOf })),
    password,
    requireSecondFactor,
    hash: file.hash,
  };
}

interface Place {
  index: number;
  file: ConfigFile;
  secretOf: (name: string) => string | undefined;
}

function toProvider(written: Static<typeof Provider>, { index, file, secretOf }: Place): LoginProvider {
  const { id, name = id, issuer, clientId, clientSecretEnv, scopes = ['email', 'profile'], tenant = DEFAULT_TENANT } = written;
  const problem = (field: string, reason: string) => file.problem(`/providers/${index}/${field}`, reason);
  if (!isIssuer(issuer)) throw problem('issuer', 'must be an https address without query; http is allowed on this machine alone');
  const groups = new Map(Object.entries(written.groups ?? {}));
  const operators = [...groups].find(([, role]) => role === 'operator');
  if (operators && tenant !== DEFAULT_TENANT)
    throw problem('groups', `makes operators, who are in the tenant ${DEFAULT_TENANT} alone; this provider is for the tenant ${tenant}`);
  const clientSecret = clientSecretEnv === undefined ? undefined : secretOf(clientSecretEnv);
  if (clientSecretEnv !== undefined && clientSecret === undefined) throw problem('clientSecretEnv', `${clientSecretEnv} is not set`);
  const { groupsClaim = 'groups', trustEmail = false } = written;
  const scope = [...new Set(['openid', ...scopes])].join(' ');
  return { id, name, issuer, clientId, clientSecret, scope, tenantId: tenant, groupsClaim, groups, trustEmail };
}

function isIssuer(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) return false;
  if (`${url.search}${url.hash}${url.username}${url.password}` !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname));
}

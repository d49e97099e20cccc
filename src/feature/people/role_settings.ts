/** What each role may do in each tenant, as roles.yaml says. Follows changes of the file. */
import type { ConfigReader } from '../../port/config_files';
import type { Scope } from '../../port/principal';
import type { Role } from '../../port/roles';
import type { ConfigReloads } from '../../service/audit/config_reloads';
import type { KeyRing } from '../../service/auth/key_ring';
import { BUILT_IN_ROLES, ROLES_FILE, type RoleTable, readRolesFile } from './roles_file';

export interface RoleSettingsDeps {
  configFiles: ConfigReader;
  configReloads: Pick<ConfigReloads, 'followChanges'>;
  keys: Pick<KeyRing, 'refresh'>;
}

export class RoleSettings {
  private table: RoleTable = BUILT_IN_ROLES;

  constructor(private readonly deps: RoleSettingsDeps) {}

  /** Reads the file and follows it. Rejects with one sentence that names file, field and line. */
  async start(): Promise<void> {
    await this.read();
    this.deps.configReloads.followChanges({
      name: ROLES_FILE,
      watched: ROLES_FILE,
      versions: () => new Map(this.table.hash === undefined ? [] : [[ROLES_FILE, this.table.hash]]),
      takeOver: async () => {
        await this.read();
        return [];
      },
    });
  }

  scopesOf(tenantId: string, role: Role): readonly Scope[] {
    return (this.table.tenants.get(tenantId) ?? this.table.all)[role];
  }

  /** People and their keys have the scopes at once, and connections with other scopes end. */
  private async read(): Promise<void> {
    this.table = await readRolesFile(this.deps.configFiles);
    await this.deps.keys.refresh();
  }
}

/** Reads roles.yaml, which says what each role may do in each tenant and for how many days its chats are kept, and follows changes of the file. */
import type { ConfigReader } from '../../../port/config_files';
import type { Scope } from '../../../port/principal';
import type { Role } from '../../../port/roles';
import type { OwnerDays } from '../../../port/store/retention';
import type { Store } from '../../../port/store/store';
import type { ConfigReloads } from '../../../service/audit/config_reloads';
import type { KeyRing } from '../../../service/auth/key_ring';
import type { OwnerPeriods } from '../../../service/housekeeping/owner_periods';
import { BUILT_IN_ROLES, ROLES_FILE, type RoleTable, readRolesFile } from './roles_file';

export interface RoleSettingsDeps {
  store: Pick<Store, 'read'>;
  configFiles: ConfigReader;
  configReloads: Pick<ConfigReloads, 'followChanges'>;
  keys: Pick<KeyRing, 'refresh'>;
}

export class RoleSettings implements OwnerPeriods {
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
    return this.rulesOf(tenantId).scopes[role];
  }

  /** Undefined when the setting of the gateway counts. */
  keepDaysOf(tenantId: string, role: Role): number | undefined {
    return this.rulesOf(tenantId).keepDays[role];
  }

  async listDays(): Promise<OwnerDays[]> {
    return (await this.deps.store.read.people.listAll()).flatMap(({ tenantId, handle: owner, role }) => {
      const days = this.keepDaysOf(tenantId, role);
      return days === undefined ? [] : [{ tenantId, owner, days }];
    });
  }

  async daysOf(tenantId: string, owner: string): Promise<number | undefined> {
    const person = (await this.deps.store.read.people.list(tenantId)).find(({ handle }) => handle === owner);
    return person && this.keepDaysOf(tenantId, person.role);
  }

  private rulesOf(tenantId: string) {
    return this.table.tenants.get(tenantId) ?? this.table.all;
  }

  /** People and their keys have the scopes at once, and connections with other scopes end. */
  private async read(): Promise<void> {
    this.table = await readRolesFile(this.deps.configFiles);
    await this.deps.keys.refresh();
  }
}

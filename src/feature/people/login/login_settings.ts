/** The ways to log in that login.yaml names. Follows changes of the file. */

import { AppError } from '../../../errors';
import type { ConfigReader } from '../../../port/config_files';
import type { Redactor } from '../../../port/redactor';
import type { Role } from '../../../port/roles';
import type { ConfigReloads } from '../../../service/audit/config_reloads';
import type { KeyRing } from '../../../service/auth/key_ring';
import { LOGIN_FILE, type LoginConfig, type LoginProvider, NO_LOGIN_FILE, readLoginFile } from './login_file';

export interface LoginSettingsDeps {
  configFiles: ConfigReader;
  configReloads: Pick<ConfigReloads, 'followChanges'>;
  readSecret: (name: string) => string | undefined;
  redactor: Pick<Redactor, 'addSecrets'>;
  keys: Pick<KeyRing, 'refresh'>;
}

export class LoginSettings {
  private config: LoginConfig = NO_LOGIN_FILE;

  constructor(private readonly deps: LoginSettingsDeps) {}

  /** Reads the file and follows it. Rejects with one sentence that names file, field and line. */
  async start(): Promise<void> {
    await this.read();
    this.deps.configReloads.followChanges({
      name: LOGIN_FILE,
      watched: LOGIN_FILE,
      versions: () => new Map(this.config.hash === undefined ? [] : [[LOGIN_FILE, this.config.hash]]),
      takeOver: async () => {
        await this.read();
        return [];
      },
    });
  }

  get providers(): readonly LoginProvider[] {
    return this.config.providers;
  }

  /** False: people log in at providers alone. */
  get allowsPasswords(): boolean {
    return this.config.password;
  }

  /** True for roles whose people need an authenticator app beside their password. */
  needsSecondFactor(role: Role): boolean {
    return this.config.password && this.config.requireSecondFactor.includes(role);
  }

  /** Throws `not_found`. */
  provider(id: string): LoginProvider {
    const found = this.config.providers.find(provider => provider.id === id);
    if (found) return found;
    throw new AppError('not_found', { message: 'There is no such login provider.', messageZh: '没有这个登录服务器。' });
  }

  /** Throws `forbidden` where people log in at providers alone. */
  assertPasswords(): void {
    if (this.config.password) return;
    throw new AppError('forbidden', {
      message: 'This gateway takes no passwords: log in at a provider.',
      messageZh: '此网关不接受密码：请通过登录服务器登录。',
    });
  }

  /** People are asked for a second factor at once, and their connections end. */
  private async read(): Promise<void> {
    const { configFiles, readSecret, redactor, keys } = this.deps;
    this.config = await readLoginFile(configFiles, readSecret);
    redactor.addSecrets(this.config.providers.flatMap(({ clientSecret }) => clientSecret ?? []));
    await keys.refresh();
  }
}

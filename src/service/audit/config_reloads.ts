/** Records in the audit log that a configuration file was read again and taken over. */
import type { ConfigFiles } from '../../port/config_files';
import type { LogError } from '../../port/logger';
import { type AuditRecorder, byGateway } from './audit_log';

export interface ConfigReloadsDeps {
  configFiles: ConfigFiles;
  auditLog: AuditRecorder;
  onError: LogError;
}

/** The hash of a file that does not exist. */
const NO_FILE = 'none';

export class ConfigReloads {
  /** File -> SHA-256 of the version that is in use. */
  private readonly hashes = new Map<string, Promise<string>>();

  constructor(private readonly deps: ConfigReloadsDeps) {}

  /** Remembers the version that is in use now. */
  follow(name: string): void {
    this.hashes.set(name, this.hashOf(name));
  }

  /** Call it after the file was taken over. Records nothing when it is as before: changes of other files are reported too. Never rejects. */
  async recordReload(name: string): Promise<void> {
    const before = await this.hashes.get(name);
    const reading = this.hashOf(name);
    const after = await reading;
    if (before === undefined || before === after) return;
    this.hashes.set(name, reading);
    await this.record(name, before, after);
  }

  /** Records which files of a set changed between two readings: name -> SHA-256. Never rejects. */
  async recordChanges(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): Promise<void> {
    for (const name of new Set([...before.keys(), ...after.keys()])) {
      const [old = NO_FILE, now = NO_FILE] = [before.get(name), after.get(name)];
      if (old !== now) await this.record(name, old, now);
    }
  }

  private record(name: string, before: string, after: string): Promise<void> {
    return this.deps.auditLog
      .record({ ...byGateway('gateway:config'), action: 'config.reload', target: name, details: { before, after } })
      .catch(thrown => this.deps.onError(`the reload of ${name} cannot be written to the audit log`, thrown));
  }

  private async hashOf(name: string): Promise<string> {
    const file = await this.deps.configFiles.readFile(name).catch(() => undefined);
    return file?.hash ?? NO_FILE;
  }
}

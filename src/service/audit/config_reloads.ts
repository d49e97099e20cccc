/** Follows files of the configuration directory, and records in the audit log which versions of them were taken over or refused. */
import type { Clock } from '../../port/clock';
import { ConfigFileError, type ConfigFiles } from '../../port/config_files';
import type { LogError } from '../../port/logger';
import type { Observer } from '../../port/observer';
import { type AuditRecorder, byGateway } from './audit_log';

export interface ConfigReloadsDeps {
  clock: Clock;
  configFiles: ConfigFiles;
  auditLog: AuditRecorder;
  onError: LogError;
  observer: Observer;
}

/** Name of a file -> SHA-256. */
export type ConfigVersions = ReadonlyMap<string, string>;

export interface FollowedConfig {
  /** A file, or a folder whose files count together. */
  name: string;
  /** The file whose folder is watched. */
  watched: string;
  /** The versions in use now. */
  versions: () => ConfigVersions;
  /**
   * Reads the present version of the files and uses it from then on. Resolves with the mistakes in files that keep their earlier version. Rejects,
   * without a change, with one sentence that names file, field and line.
   */
  takeOver: () => Promise<readonly unknown[]>;
}

/** The hash of a file that does not exist. */
const NO_FILE = 'none';

export class ConfigReloads {
  /** File -> SHA-256 of the version that is in use. */
  private readonly hashes = new Map<string, Promise<string>>();
  /** File -> time of the last change that was taken over, in milliseconds since 1970. */
  readonly reloadedAt = new Map<string, number>();
  /** Followed file or folder -> the mistakes in its present version. */
  private readonly problems = new Map<string, readonly string[]>();

  constructor(private readonly deps: ConfigReloadsDeps) {}

  /** Takes over each change of the files from now on; an invalid one is named by `warnings`, and the version from before stays in use. */
  followChanges(followed: FollowedConfig): void {
    let reading = Promise.resolve();
    this.deps.configFiles.watchFile(followed.watched, () => {
      reading = reading.then(() => this.reload(followed));
    });
  }

  /** Returns a sentence for each followed file whose present version cannot be used. */
  warnings(): string[] {
    return [...this.problems.values()].flat();
  }

  /** Remembers the version that is in use now. */
  follow(name: string): void {
    this.hashes.set(name, this.hashOf(name));
  }

  /**
   * Records a reload after the file was taken over. Records nothing when the file is unchanged: changes of other files are reported too. Never
   * rejects.
   */
  async recordReload(name: string): Promise<void> {
    const before = await this.hashes.get(name);
    const reading = this.hashOf(name);
    const after = await reading;
    if (before === undefined || before === after) return;
    this.hashes.set(name, reading);
    await this.record(name, before, after);
  }

  /** Records which files of a set changed between two readings. Resolves whether any did. Never rejects. */
  async recordChanges(before: ConfigVersions, after: ConfigVersions): Promise<boolean> {
    const names = [...new Set([...before.keys(), ...after.keys()])].filter(name => before.get(name) !== after.get(name));
    for (const name of names) await this.record(name, before.get(name) ?? NO_FILE, after.get(name) ?? NO_FILE);
    return names.length > 0;
  }

  /** Records that a changed file is not used: where the mistake stands, and nothing that the file holds. Never rejects. */
  recordRefusal(name: string, thrown: unknown): Promise<void> {
    const { file = name, line, field, hash } = thrown instanceof ConfigFileError ? thrown.place : {};
    const details = { line, after: hash, field: field !== undefined && field !== '' ? field : undefined };
    return this.append(file, { action: 'config.refuse', details });
  }

  /** Takes over a changed file, or records its refusal. Never rejects. */
  private async reload({ name, versions, takeOver }: FollowedConfig): Promise<void> {
    const { onError, observer } = this.deps;
    const before = versions();
    const mistakes = await takeOver().catch((thrown: unknown): readonly unknown[] => [thrown]);
    // A change of another file in the folder is reported too.
    if (await this.recordChanges(before, versions())) observer.note({ type: 'config_reload', file: name, ok: true });
    const known = this.problems.get(name) ?? [];
    this.problems.set(name, mistakes.map(textOf));
    for (const thrown of mistakes.filter(mistake => !known.includes(textOf(mistake)))) {
      onError(`${name} was changed and cannot be used; the version from before stays`, textOf(thrown));
      observer.note({ type: 'config_reload', file: name, ok: false });
      await this.recordRefusal(name, thrown);
    }
  }

  private record(name: string, before: string, after: string): Promise<void> {
    this.reloadedAt.set(name, this.deps.clock.now());
    return this.append(name, { action: 'config.reload', details: { before, after } });
  }

  private append(target: string, entry: Pick<Parameters<AuditRecorder['record']>[0], 'action' | 'details'>): Promise<void> {
    return this.deps.auditLog
      .record({ ...byGateway('gateway:config'), target, ...entry })
      .catch(thrown => this.deps.onError(`the change of ${target} cannot be written to the audit log`, thrown));
  }

  private async hashOf(name: string): Promise<string> {
    const file = await this.deps.configFiles.readFile(name).catch(() => undefined);
    return file?.hash ?? NO_FILE;
  }
}

const textOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

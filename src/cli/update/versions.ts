/** The versions of a folder: which one its gateway runs, and the one before. scripts/package/versions.cjs reads the same file at each start. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** versions/current.json */
export interface CurrentVersion {
  version: string;
  /** The version to which a rollback goes; null: none is kept. */
  previous: string | null;
  /** The version of the package that a person has installed. Another package than this one goes first. */
  installed: string;
  /** False: the gateway goes back by itself when it ends. */
  isProven: boolean;
}

/** versions/running.json */
export interface RunningVersion {
  /** Processes of the supervisor and of the gateway below it. */
  supervisor: number;
  gateway: number;
  version: string;
}

export class VersionFolder {
  /** Directory of the versions. */
  readonly path: string;

  /** `home`: folder of the gateway. `program`: directory and version of the package to which this code belongs. */
  constructor(
    home: string,
    private readonly program: { root: string; version: string },
  ) {
    this.path = join(home, 'versions');
  }

  async readCurrent(): Promise<CurrentVersion> {
    const { root, version } = this.program;
    const current = await readJson<CurrentVersion>(join(this.path, 'current.json'));
    const isOwn = root.startsWith(this.path + sep) || current?.installed === version;
    return current && isOwn ? current : { version, previous: null, installed: version, isProven: true };
  }

  /** Replaces the file as a whole. */
  async writeCurrent(current: CurrentVersion): Promise<void> {
    await mkdir(this.path, { recursive: true });
    const file = join(this.path, 'current.json');
    await writeFile(`${file}.new`, `${JSON.stringify(current, undefined, 2)}\n`);
    await rename(`${file}.new`, file);
  }

  /** Resolves with undefined when no supervisor runs the gateway of the folder. */
  async readRunning(): Promise<RunningVersion | undefined> {
    const running = await readJson<RunningVersion>(join(this.path, 'running.json'));
    if (!running) return undefined;
    return (await isAlive(running.supervisor)) ? running : undefined;
  }

  /**
   * Runs `work` while no other update of the folder runs. Resolves with undefined when one does.
   */
  async alone<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    await mkdir(this.path, { recursive: true });
    const file = join(this.path, 'update.pid');
    if (await isAlive(Number(await readFile(file, 'utf8').catch(() => '')))) return undefined;
    await writeFile(file, String(process.pid));
    return work().finally(() => rm(file, { force: true }));
  }

  /** Deletes the versions that are neither the current one nor the one before, and what an update that was killed has left. */
  async deleteOthers(): Promise<void> {
    const { version, previous } = await this.readCurrent();
    const entries = await readdir(this.path, { withFileTypes: true });
    const others = entries.filter(entry => entry.isDirectory() && entry.name !== version && entry.name !== previous);
    for (const { name } of others) await rm(join(this.path, name), { recursive: true, force: true });
  }
}

/** Resolves true while the process is one of neta-gateway: another one may have its number by now. */
async function isAlive(pid: number): Promise<boolean> {
  const command = pid > 0 ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '') : '';
  return command.includes('neta');
}

async function readJson<Value>(file: string): Promise<Value | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Value;
  } catch {
    return undefined;
  }
}

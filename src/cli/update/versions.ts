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
  /** The process of the supervisor, and the time of its start as proc(5) writes it. */
  supervisor: number;
  started: string;
  version: string;
  /** Address of the gateway. Absent until it answers. */
  url?: string;
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
    return (await startOf(running.supervisor)) === running.started ? running : undefined;
  }

  /** Runs `work` while no other update of the folder runs. Resolves with undefined when one does. */
  async alone<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    await mkdir(this.path, { recursive: true });
    const file = join(this.path, 'update.json');
    const holder = await readJson<{ pid: number; started: string }>(file);
    if (holder && (await startOf(holder.pid)) === holder.started) return undefined;
    if (holder) await rm(file, { force: true });
    const own = JSON.stringify({ pid: process.pid, started: await startOf(process.pid) });
    const isFirst = await writeFile(file, own, { flag: 'wx' }).then(
      () => true,
      () => false,
    );
    return isFirst ? work().finally(() => rm(file, { force: true })) : undefined;
  }

  /** Deletes the versions that are neither the current one nor the one before, and what an update that was killed has left. */
  async deleteOthers(): Promise<void> {
    const { version, previous } = await this.readCurrent();
    const entries = await readdir(this.path, { withFileTypes: true });
    const others = entries.filter(entry => entry.isDirectory() && entry.name !== version && entry.name !== previous);
    for (const { name } of others) await rm(join(this.path, name), { recursive: true, force: true });
  }
}

/** Resolves with the time of a process's start, which tells it from a later one with the same number; undefined when there is none. */
async function startOf(pid: number): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return text.split(') ').at(-1)?.split(' ')[19];
}

async function readJson<Value>(file: string): Promise<Value | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Value;
  } catch {
    return undefined;
  }
}

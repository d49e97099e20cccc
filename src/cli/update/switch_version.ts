/** Puts another version into the place of a running gateway, watches it, and goes back when it is not healthy. */
import { setTimeout as pause } from 'node:timers/promises';
import type { CurrentVersion, VersionFolder } from './versions';

/** Longer than the drain of a gateway and the start of the next one. */
const START_MS = 150_000;
const LOOK_MS = 1_000;
/** Looks in a row without an answer that end the watch. */
const MOST_MISSES = 5;

export interface SwitchParams {
  versions: VersionFolder;
  /** Address of the gateway. */
  url: string;
  /** Milliseconds for which the new version has to be healthy. */
  watchMs: number;
  /** Called when the new version answers. */
  onRunning?: () => void;
}

/** `chosen`: no gateway runs, the next start uses the version. `lost`: neither version answers. */
export type SwitchResult = 'switched' | 'chosen' | 'went_back' | 'lost';

/** Switches to `next`, whose `previous` is the version that runs now. */
export async function switchVersion(next: CurrentVersion, params: SwitchParams): Promise<SwitchResult> {
  const { versions, watchMs, onRunning } = params;
  const before = await versions.readCurrent();
  const supervisor = (await versions.readRunning())?.supervisor;
  // Throws when the process belongs to another person, before anything is written.
  if (supervisor !== undefined) process.kill(supervisor, 0);
  await versions.writeCurrent(next);
  if (!(await askSupervisor(versions))) return 'chosen';
  if (await isRunning(next.version, params)) {
    onRunning?.();
    if (await staysHealthy(next.version, watchMs, params)) {
      await versions.writeCurrent({ ...next, isProven: true });
      return 'switched';
    }
  }
  // The supervisor may have gone back already, when the new version ended by itself.
  const running = await versions.readRunning();
  await versions.writeCurrent({ ...before, isProven: true });
  if (running?.version !== before.version) await askSupervisor(versions);
  return (await isRunning(before.version, params)) ? 'went_back' : 'lost';
}

/** Resolves with false when there is no supervisor. */
async function askSupervisor(versions: VersionFolder): Promise<boolean> {
  const running = await versions.readRunning();
  if (!running) return false;
  process.kill(running.supervisor, 'SIGUSR2');
  return true;
}

/** Waits until the version answers. Resolves with false when it does not, or when the supervisor has gone back. */
async function isRunning(version: string, { versions, url }: SwitchParams): Promise<boolean> {
  const since = performance.now();
  let wasStarted = false;
  while (performance.now() - since < START_MS) {
    const running = await versions.readRunning();
    const isStarted = running?.version === version;
    if (isStarted && (await isReady(running.url ?? url))) return true;
    if (wasStarted && !isStarted) return false;
    wasStarted = isStarted;
    await pause(LOOK_MS / 4);
  }
  return false;
}

async function staysHealthy(version: string, watchMs: number, { versions, url }: SwitchParams): Promise<boolean> {
  const since = performance.now();
  let misses = 0;
  while (performance.now() - since < watchMs) {
    if ((await versions.readRunning())?.version !== version) return false;
    misses = (await isReady(url)) ? 0 : misses + 1;
    if (misses >= MOST_MISSES) return false;
    await pause(LOOK_MS);
  }
  return true;
}

/** Resolves true when a gateway at this address accepts runs. */
export async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(LOOK_MS * 2) }).catch(() => undefined);
  return answer?.ok === true;
}

/** Says in plain words why no sandbox works here, and how to get one. */
import { existsSync, readFileSync } from 'node:fs';

/** Files that Docker and Podman put into a container. */
const CONTAINER_FILES = ['/.dockerenv', '/run/.containerenv'];
const APPARMOR_SWITCH = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns';

/** A kind of sandbox that was tried, and why it does not work. */
export interface SandboxFailure {
  kind: string;
  reason: string;
}

/** Facts of this machine that decide which advice helps. */
export interface SandboxPlace {
  /** A container, whose own rules forbid namespaces. */
  isContainer: boolean;
  /** AppArmor forbids user namespaces to programs without a profile, as in Ubuntu 24.04. */
  isRestrictedByAppArmor: boolean;
}

/** Looks at this machine. `env`: has KUBERNETES_SERVICE_HOST in a pod. */
export function readSandboxPlace(env: Readonly<Record<string, string | undefined>>): SandboxPlace {
  return {
    isContainer: CONTAINER_FILES.some(path => existsSync(path)) || env['KUBERNETES_SERVICE_HOST'] !== undefined,
    isRestrictedByAppArmor: readSwitch() === '1',
  };
}

/** Returns one or two sentences: the reasons, and the advice for this machine. */
export function explainSandboxFailure(failures: readonly SandboxFailure[], { isContainer, isRestrictedByAppArmor }: SandboxPlace): string {
  const reasons = `No sandbox works here (${failures.map(({ kind, reason }) => `${kind}: ${reason}`).join('; ')}).`;
  if (isContainer)
    return `${reasons} The container forbids namespaces: start it with deploy/seccomp/neta-gateway.json, as docs/guides/containers.md shows.`;
  if (isRestrictedByAppArmor)
    return `${reasons} AppArmor forbids user namespaces here: give bwrap an AppArmor profile, as docs/guides/operate.md#sandbox shows.`;
  return reasons;
}

function readSwitch(): string | undefined {
  try {
    return readFileSync(APPARMOR_SWITCH, 'utf8').trim();
  } catch {
    // The kernel has no such switch.
    return undefined;
  }
}

/** Names the gateway in the marker of its commands, so that after a crash its successor ends them, and no other gateway does. */
import { stat } from 'node:fs/promises';
import type { InstanceId } from '../../../port/instance_id';

export interface CommandOwner {
  /** Names the process and the device and inode of its data directory. */
  readonly name: string;
  /** Returns true when the name belongs to a dead gateway that had the same data directory. */
  isPredecessor(name: string): boolean;
}

/** Creates the marker of this gateway's commands. Rejects when the directory does not exist. */
export async function createCommandOwner(identity: InstanceId, dataDir: string): Promise<CommandOwner> {
  const { dev, ino } = await stat(dataDir, { bigint: true });
  const suffix = `.${dev}-${ino}`;
  return {
    name: identity.self + suffix,
    isPredecessor: name => name.endsWith(suffix) && identity.isGone(name.slice(0, -suffix.length)),
  };
}

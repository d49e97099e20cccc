/** Spill files: the whole text of results that are truncated for the model, in a folder of the session inside the workspace. */
import { posix } from 'node:path';
import type { LogError } from '../../port/logger';
import { WorkspaceError } from '../../port/workspace';
import type { Workspaces } from '../../port/workspaces';

type SessionKey = { tenantId: string; sessionId: string };

const folderOf = (sessionId: string): string => `.neta/results/${sessionId}`;

const pathOf = (sessionId: string, toolCallId: string): string =>
  `${folderOf(sessionId)}/${toolCallId.replaceAll(/[^A-Za-z0-9_-]/g, '_')}.txt`;

/** Bytes of a spill file that are read. */
const MAX_READ_BYTES = 32 * 1024 * 1024;

/** Returns whether a path, relative to the workspace, is a spill file of the session. */
export const isSpillFile = (path: string, sessionId: string): boolean => posix.normalize(path).startsWith(`${folderOf(sessionId)}/`);

/** Returns the session whose folder of results holds the path, which is relative to the workspace; undefined for any other path. */
export const sessionOfSpillPath = (path: string): string | undefined => /^\.neta\/results\/([^/]+)/i.exec(posix.normalize(path))?.[1];

export class ResultFiles {
  constructor(
    private readonly workspaces: Pick<Workspaces, 'workspaceOf'>,
    private readonly listeners: { onError: LogError; onWrite: (tenantId: string) => void },
  ) {}

  /** Writes the text. Resolves with the path relative to the workspace, or undefined when it cannot be written. */
  async saveResult({ tenantId, sessionId }: SessionKey, toolCallId: string, text: string): Promise<string | undefined> {
    const path = pathOf(sessionId, toolCallId);
    try {
      await this.workspaces.workspaceOf(tenantId).workspace.writeFile(path, Buffer.from(text));
      this.listeners.onWrite(tenantId);
      return path;
    } catch (thrown) {
      this.listeners.onError(`the result of ${toolCallId} cannot be kept`, thrown, { sessionId });
      return undefined;
    }
  }

  /** Resolves with the text, or with undefined when there is no such file any more. */
  async readResult({ tenantId, sessionId }: SessionKey, toolCallId: string): Promise<string | undefined> {
    try {
      const { workspace } = this.workspaces.workspaceOf(tenantId);
      return (await workspace.readFile(pathOf(sessionId, toolCallId), { maxBytes: MAX_READ_BYTES })).toString('utf8');
    } catch (thrown) {
      if (thrown instanceof WorkspaceError) return undefined;
      throw thrown;
    }
  }

  /** Removes the spill files of a session; other files in its folder stay. Never rejects. */
  async removeResults({ tenantId, sessionId }: SessionKey): Promise<void> {
    const folder = folderOf(sessionId);
    try {
      const { workspace } = this.workspaces.workspaceOf(tenantId);
      // Do not follow a symlink: its target may be a file of the person.
      const files = (await workspace.list(folder)).filter(entry => entry.kind === 'file' && entry.name.endsWith('.txt'));
      for (const { name } of files) await workspace.removeFile(`${folder}/${name}`);
      await workspace.removeDirectory(folder);
      this.listeners.onWrite(tenantId);
    } catch (thrown) {
      if (thrown instanceof WorkspaceError && thrown.code === 'not_found') return;
      this.listeners.onError('the results of a session cannot be removed', thrown, { sessionId });
    }
  }
}

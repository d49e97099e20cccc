/** Results that are too long for the model: whole in files beside the work, in a folder of the session, where read_file finds them. */
import { posix } from 'node:path';
import type { LogError } from '../../port/logger';
import { type Workspace, WorkspaceError } from '../../port/workspace';

const folderOf = (sessionId: string): string => `.neta/results/${sessionId}`;

/** Returns true when the path, relative to the workspace, belongs to a result kept for the session. */
export const isKeptResult = (path: string, sessionId: string): boolean => posix.normalize(path).startsWith(`${folderOf(sessionId)}/`);

export class ResultFiles {
  constructor(
    private readonly workspace: Workspace,
    private readonly onError: LogError,
  ) {}

  /** Resolves with the path relative to the workspace, or undefined when the text cannot be kept. */
  async keep(sessionId: string, toolCallId: string, text: string): Promise<string | undefined> {
    const path = `${folderOf(sessionId)}/${toolCallId.replaceAll(/[^A-Za-z0-9_-]/g, '_')}.txt`;
    try {
      await this.workspace.writeFile(path, Buffer.from(text));
      return path;
    } catch (thrown) {
      this.onError(`the result of ${toolCallId} cannot be kept`, thrown, { sessionId });
      return undefined;
    }
  }

  /** Removes what was kept for the session. What somebody else put there stays. Rejects never. */
  async removeAll(sessionId: string): Promise<void> {
    const folder = folderOf(sessionId);
    try {
      // A symlink is not followed: what it leads to is somebody's work.
      const files = (await this.workspace.list(folder)).filter(entry => entry.kind === 'file' && entry.name.endsWith('.txt'));
      for (const { name } of files) await this.workspace.removeFile(`${folder}/${name}`);
      await this.workspace.removeDirectory(folder);
    } catch (thrown) {
      if (thrown instanceof WorkspaceError && thrown.code === 'not_found') return;
      this.onError('the results of a session cannot be removed', thrown, { sessionId });
    }
  }
}

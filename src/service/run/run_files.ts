/** The files of a run's workspace: brought up to date before its first tool call, and stored for other gateways before its end is. */
import type { LogError } from '../../port/logger';
import type { RunRecord } from '../../port/store/runs';
import type { ToolResult } from '../../tools/common';
import type { Slot } from '../../utils/slot';
import type { RunWriter } from '../run_log/run_writer';
import { filesLost, MAX_LOST, notBrought } from '../workspace/not_brought';
import { type LostFile, NO_WORKSPACE_SYNC, type WorkspaceNotice, type WorkspaceSync } from '../workspace/workspace_sync';
import type { RunHandle } from './run_handle';

interface RunFilesDeps {
  workspaceSync: Slot<WorkspaceSync>;
  onError: LogError;
}

type Writer = Pick<RunWriter, 'append'>;

export class RunFiles {
  constructor(private readonly deps: RunFilesDeps) {}

  /** Returns a function that brings the files of a run up to date once. It resolves with a result for the model when that fails; the next call tries again. */
  preparationOf(run: RunRecord, writer: Writer): (() => Promise<ToolResult | undefined>) | undefined {
    if (this.deps.workspaceSync.current === NO_WORKSPACE_SYNC) return undefined;
    let bringing: Promise<ToolResult | undefined> | undefined;
    const bring = async () => {
      try {
        const lost = await this.bring(run, writer);
        // The next call runs, with the files that are there.
        if (lost) bringing = Promise.resolve(undefined);
        return lost;
      } catch (thrown) {
        bringing = undefined;
        this.deps.onError('the files of a workspace cannot be brought up to date', thrown, { runId: run.id, sessionId: run.sessionId });
        return notBrought(run.locale, thrown);
      }
    };
    return () => {
      bringing ??= bring();
      return bringing;
    };
  }

  /** Resolves with a result for the model when files are lost that it may look for. */
  private async bring(run: RunRecord, writer: Writer): Promise<ToolResult | undefined> {
    const notices = await this.deps.workspaceSync.current.bring(run.tenantId, run);
    report(writer, notices);
    const lost = notices.filter(isLost).map(({ path }) => path);
    return lost.length === 0 ? undefined : filesLost(run.locale, lost);
  }

  /** Stores the files that the run may have changed. Never rejects. `writer`: absent for a run that does not go on here. Undefined: nothing to wait for. */
  keep(run: RunRecord, handle: Pick<RunHandle, 'abandoned'>, writer?: Writer): Promise<void> | undefined {
    return this.deps.workspaceSync.current === NO_WORKSPACE_SYNC ? undefined : this.keepNow(run, handle, writer);
  }

  private async keepNow(run: RunRecord, { abandoned: signal }: Pick<RunHandle, 'abandoned'>, writer?: Writer): Promise<void> {
    const notices = await this.deps.workspaceSync.current.keep(run.tenantId, { sessionId: run.sessionId, signal });
    try {
      if (writer) report(writer, notices);
    } catch (thrown) {
      // The writer is closed when another gateway has taken over the run.
      this.deps.onError('the notices of a workspace cannot be reported', thrown, { runId: run.id, sessionId: run.sessionId });
    }
  }
}

/** Adds an event for each conflict, and for at most 20 lost files. The result of the call and `warnings` of /readyz have the number of all lost files. */
function report(writer: Writer, notices: readonly WorkspaceNotice[]): void {
  for (const { path } of notices.filter(isLost).slice(0, MAX_LOST)) writer.append({ type: 'workspace_file_lost', data: { path } });
  for (const notice of notices) {
    if (!isLost(notice)) writer.append({ type: 'workspace_conflict', data: notice });
  }
}

const isLost = (notice: WorkspaceNotice): notice is LostFile => 'isLost' in notice;

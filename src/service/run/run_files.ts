/** The files of a run's workspace: brought up to date before its first tool call, and stored for other gateways before its end is. */
import type { LogError } from '../../port/logger';
import type { RunRecord } from '../../port/store/runs';
import type { ToolResult } from '../../tools/common';
import type { Slot } from '../../utils/slot';
import type { RunWriter } from '../run_log/run_writer';
import { notBrought } from '../workspace/not_brought';
import { NO_WORKSPACE_SYNC, type WorkspaceConflict, type WorkspaceSync } from '../workspace/workspace_sync';
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
    return () => {
      bringing ??= this.bring(run, writer).catch(thrown => {
        bringing = undefined;
        this.deps.onError('the files of a workspace cannot be brought up to date', thrown, { runId: run.id, sessionId: run.sessionId });
        return notBrought(run.locale, thrown);
      });
      return bringing;
    };
  }

  private async bring(run: RunRecord, writer: Writer): Promise<undefined> {
    report(writer, await this.deps.workspaceSync.current.bring(run.tenantId, run));
  }

  /** Stores the files that the run may have changed. Never rejects. `writer`: absent for a run that does not go on here. Undefined: nothing to wait for. */
  keep(run: RunRecord, handle: Pick<RunHandle, 'abandoned'>, writer?: Writer): Promise<void> | undefined {
    return this.deps.workspaceSync.current === NO_WORKSPACE_SYNC ? undefined : this.keepNow(run, handle, writer);
  }

  private async keepNow(run: RunRecord, { abandoned: signal }: Pick<RunHandle, 'abandoned'>, writer?: Writer): Promise<void> {
    const conflicts = await this.deps.workspaceSync.current.keep(run.tenantId, { sessionId: run.sessionId, signal });
    try {
      if (writer) report(writer, conflicts);
    } catch (thrown) {
      // The writer is closed when another gateway has taken over the run.
      this.deps.onError('the conflicts of a workspace cannot be reported', thrown, { runId: run.id, sessionId: run.sessionId });
    }
  }
}

function report(writer: Writer, conflicts: readonly WorkspaceConflict[]): void {
  for (const conflict of conflicts) writer.append({ type: 'workspace_conflict', data: conflict });
}

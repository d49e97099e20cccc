/** The files of a run's workspace: brought up to date before its first tool call, and stored for other gateways before its end is. */
import type { LogError } from '../../port/logger';
import type { RunRecord } from '../../port/store/runs';
import { WorkspaceError } from '../../port/workspace';
import { errorResult, inLocale, type ToolResult } from '../../tools/common';
import type { Slot } from '../../utils/slot';
import type { RunWriter } from '../run_log/run_writer';
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
        return notBrought(run, thrown);
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
    if (writer) report(writer, conflicts);
  }
}

function report(writer: Writer, conflicts: readonly WorkspaceConflict[]): void {
  for (const conflict of conflicts) writer.append({ type: 'workspace_conflict', data: conflict });
}

function notBrought({ locale }: RunRecord, thrown: unknown): ToolResult {
  const [why, whyZh] = thrown instanceof WorkspaceError ? [` ${thrown.message}`, thrown.messageZh] : ['', ''];
  return errorResult(
    inLocale(
      { locale },
      `Not run: the newest files of the workspace could not be brought to this gateway.${why} Make the call again.`,
      `未执行：工作区的最新文件无法取到本网关。${whyZh}请再次调用。`,
    ),
  );
}

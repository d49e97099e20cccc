/** The tools of a replay: the list grows at the steps at which the list of the recorded run grew. */
import type { WireTool } from '../../../port/llm';
import type { AssembledTools } from '../../../runtime/tool_assembler';
import type { AgentTool } from '../../../tools/common';
import type { RecordedRun } from '../store/recorded_run';

export class SteppedTools implements AssembledTools {
  private step = -1;

  /** `toolsWith`: returns the tools of the agent with these names. */
  constructor(
    private current: AssembledTools,
    private readonly toolsWith: (names: readonly string[]) => AssembledTools,
    private readonly run: Pick<RecordedRun, 'laterTools'>,
  ) {}

  /** Goes to the next call of the model and returns its number, from 0. */
  nextStep(): number {
    this.step += 1;
    const names = this.run.laterTools?.[this.step];
    if (names && names.length > 0) this.current = this.toolsWith(names);
    return this.step;
  }

  get names(): readonly string[] {
    return this.current.names;
  }

  get byName(): ReadonlyMap<string, AgentTool> {
    return this.current.byName;
  }

  get wireTools(): readonly WireTool[] {
    return this.current.wireTools;
  }

  get existing(): readonly string[] | undefined {
    return this.current.existing;
  }
}

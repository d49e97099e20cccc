/** Adds up the tokens, costs and tool calls of a run and its child runs from the log of the run. */

import type { Usage } from '../../port/llm';
import type { RunEvent } from '../../port/run_event';
import type { RunRecord } from '../../port/store/runs';
import type { StoreReader } from '../../port/store/store';
import { addUsage } from '../../runtime/add_usage';
import { NO_USAGE } from './finish_run';

export interface ChildUsage {
  childRunId: string;
  usage: Usage;
}

export class LoggedSpending {
  /** Usage of the run itself. */
  readonly usage: Usage = { ...NO_USAGE };
  /** Usage by the model that answered; '' stands for the model of the first event. */
  readonly byModel: Record<string, Usage> = {};
  /** Child runs that have ended. */
  readonly children: ChildUsage[] = [];
  /** Tool calls that have begun. */
  toolCalls = 0;

  addEvent({ type, data }: RunEvent): void {
    if (type === 'tool_call_start') this.toolCalls += 1;
    if (type === 'delegate_end') this.children.push({ childRunId: data.childRunId, usage: data.usage });
    if (type !== 'usage') return;
    const { model = '', ...used } = data;
    addUsage(this.usage, used);
    const ofModel = this.byModel[model] ?? { ...NO_USAGE };
    this.byModel[model] = ofModel;
    addUsage(ofModel, used);
  }
}

/** The most tool calls that are counted of a child run. The limit of iterations ends a child run long before. */
const MAX_COUNTED = 10_000;

/** Counts the tool calls of a child run, for the budget of its parent. */
export async function countToolCalls(
  read: Pick<StoreReader, 'toolExecutions'>,
  { tenantId, id }: Pick<RunRecord, 'tenantId' | 'id'>,
): Promise<number> {
  const { data } = await read.toolExecutions.list(tenantId, { runId: id }, { limit: MAX_COUNTED });
  return data.length;
}

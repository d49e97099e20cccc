/** The parts that listen to runs, in the order in which a run tells them. */
import type { DayBudgets } from './service/limits/day_budgets';
import type { UsageRollUp } from './service/limits/usage_roll_up';
import type { RunListener } from './service/run_log/run_hooks';
import type { SessionWatch } from './service/session/session_watch';
import type { ToolCounts } from './service/tool/tool_counts';

interface Listening {
  dayBudgets: DayBudgets;
  toolCounts: ToolCounts;
  usageRollUp: UsageRollUp;
  sessionWatch: SessionWatch;
}

export const listRunListeners = (parts: Listening): RunListener[] => {
  const { dayBudgets, toolCounts, usageRollUp, sessionWatch } = parts;
  return [
    { opened: (run, spending) => dayBudgets.addRun(run, spending), closed: run => dayBudgets.removeRun(run) },
    { numbered: (run, events) => toolCounts.recordEvents(run, events) },
    { ended: () => usageRollUp.schedule() },
    {
      opened: run => sessionWatch.noteChange(run.tenantId),
      numbered: (run, events) => sessionWatch.noteEvents(run.tenantId, events),
      closed: run => sessionWatch.noteChange(run.tenantId),
    },
  ];
};

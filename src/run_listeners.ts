/** The parts that listen to runs, in the order in which a run tells them. */
import { recordJobOutcome } from './service/job/job_outcome';
import type { DayBudgets } from './service/limits/day_budgets';
import type { UsageRollUp } from './service/limits/usage_roll_up';
import type { RunActivity } from './service/ops/run_activity';
import type { RunListener } from './service/run_log/run_hooks';
import type { SearchIndexer } from './service/search/search_indexer';
import type { ToolCounts } from './service/tool/tool_counts';
import type { WebhookOutbox } from './service/webhook/webhook_outbox';

interface Listening {
  dayBudgets: DayBudgets;
  runActivity: RunActivity;
  toolCounts: ToolCounts;
  outbox: WebhookOutbox;
  searchIndexer: SearchIndexer;
  usageRollUp: UsageRollUp;
}

export const listRunListeners = (parts: Listening): RunListener[] => {
  const { dayBudgets, runActivity, toolCounts, outbox, searchIndexer, usageRollUp } = parts;
  return [
    // Budgets of a day.
    { opened: (run, spending) => dayBudgets.addRun(run, spending), closed: run => dayBudgets.removeRun(run) },
    // Operator figures.
    { numbered: (run, events, at) => runActivity.noteEvents(run, events, at), closed: run => runActivity.removeRun(run.id) },
    { numbered: (run, events) => toolCounts.recordEvents(run, events) },
    // Jobs: failures of their runs.
    { ending: (tx, run, end) => (run.door === 'job' ? recordJobOutcome(tx, run, end) : undefined) },
    // Webhooks.
    {
      waiting: (tx, run) => outbox.addWait(tx, run),
      ending: (tx, run, { status }) => outbox.addEnd(tx, run, status),
      committed: () => outbox.flush(),
    },
    { ended: () => searchIndexer.scheduleIndexing() },
    // Usage by day.
    { ended: () => usageRollUp.schedule() },
  ];
};

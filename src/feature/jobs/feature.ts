/** Jobs: prompts that the gateway gives to an agent by itself, on a schedule. The tool of agents is tools/cron.ts. */
import type { Feature } from '../../feature';
import { allOf } from '../../service/all_pages';
import { recordJobOutcome } from './job_outcome';
import { JobScheduler } from './job_scheduler';
import { JobService, type JobServices } from './job_service';
import { JobStarter } from './job_starter';
import { JobsController } from './routes';
import { jobStore } from './store/job_store';
import { cronTool } from './tools/cron';
import { toWireJob } from './wire_jobs';

/** A job whose due time passed longer ago than this and has made no run is overdue. */
const OVERDUE_MS = 120_000;

export const jobs: Feature = {
  name: 'jobs',
  routes: [JobsController],
  store: jobStore,
  tools: [cronTool],
  install({
    settings,
    ports: { store, clock, ids, logger, nodeBus },
    auditLog,
    visibleAgents: agents,
    preparation,
    agentExecutor,
    sessionAccess,
    ownedThings,
    keyRing: people,
  }) {
    const starter = new JobStarter({
      store,
      clock,
      auditLog,
      agents,
      preparation,
      sessionAccess,
      people,
      startWithin: (asks, work) => agentExecutor.startWithin(asks, work),
      clarifyTimeoutMs: settings.clarify.textTimeoutMs,
    });
    const scheduler = new JobScheduler({ store, clock, starter, onError: logger.error });
    const onChange = () => {
      nodeBus.publish('jobs', {});
      scheduler.wake();
    };
    nodeBus.subscribe('jobs', () => scheduler.wake());
    nodeBus.onLoss(() => scheduler.wake());
    const { locale: defaultLocale, timeZone } = settings;
    const jobService = new JobService({ store, clock, ids, agents, starter, auditLog, ownedThings, defaultLocale, timeZone, onChange });
    return {
      services: { jobService } satisfies JobServices,
      // The failures of a job count in the transaction that ends its run.
      onRun: { ending: (tx, run, end) => (run.door === 'job' ? recordJobOutcome(tx, run, end) : undefined) },
      toolAccess: caller => ({ jobs: jobService.accessFor(caller) }),
      async *exportData(read, tenantId) {
        for await (const job of allOf(page => read.jobs.list(tenantId, page)))
          yield {
            type: 'feature',
            name: 'job',
            data: toWireJob({ job }),
            thing: job,
            by: job.keyName,
            erase: tx => tx.jobs.delete(tenantId, job.id),
          };
      },
      storedFigures: async () => [
        { metric: 'neta_jobs_overdue', labels: [], value: await store.read.jobs.countOverdue(clock.now() - OVERDUE_MS) },
      ],
      serve: () => scheduler.start(),
      // Another process on the same store may have made the first job.
      cleanUp: async () => scheduler.wake(),
      onAccept: () => scheduler.retry(),
      drain: () => scheduler.stop(),
    };
  },
};

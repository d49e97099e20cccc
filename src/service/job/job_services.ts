/** Builds the services of jobs, which refer to each other. */
import { JobScheduler, type JobSchedulerDeps } from './job_scheduler';
import { JobService, type JobServiceDeps } from './job_service';
import { JobStarter, type JobStarterDeps } from './job_starter';

/** `startWithin`: starts a run in a transaction. */
export function createJobServices(
  deps: Omit<JobServiceDeps, 'starter' | 'onChange'> & Omit<JobStarterDeps, 'startWithin'> & Pick<JobSchedulerDeps, 'onError'>,
  startWithin: JobStarterDeps['startWithin'],
) {
  const starter = new JobStarter({ ...deps, startWithin });
  const jobScheduler = new JobScheduler({ ...deps, starter });
  return { jobScheduler, jobService: new JobService({ ...deps, starter, onChange: () => jobScheduler.wake() }) };
}

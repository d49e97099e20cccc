import { useLocale } from '../../i18n/language_context';
import { summarizeJob } from './job_arguments';

/** Says in one line what a call does to the jobs. */
export function JobSummary({ args }: { args: unknown }) {
  return <>{summarizeJob(args, useLocale())}</>;
}

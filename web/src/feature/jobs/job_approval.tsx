import { ArgumentList } from '../../components/calls/argument_list';
import { useLocale } from '../../i18n/language_context';
import { listJobArguments } from './job_arguments';

/** Shows the arguments of a call that makes or changes a job. */
export function JobApproval({ tool, args }: { tool: string; args: unknown }) {
  return <ArgumentList tool={tool} rows={listJobArguments(args, useLocale())} />;
}

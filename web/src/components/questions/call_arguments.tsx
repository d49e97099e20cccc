import { lazy } from '../basic/lazy';
import { listArguments } from '../calls/approval_arguments';
import { ArgumentList } from '../calls/argument_list';

interface CallArgumentsProps {
  tool: string;
  args: unknown;
  /** The change that the call would make to a file. */
  diff?: string | undefined;
}

/** Shows the arguments of a call by name. The arguments of a job are said in words. */
export function CallArguments(props: CallArgumentsProps) {
  return props.tool === 'cron' ? <JobApproval {...props} /> : <ExactArguments {...props} />;
}

function ExactArguments({ tool, args, diff }: CallArgumentsProps) {
  return <ArgumentList tool={tool} rows={listArguments(args, diff)} />;
}

/** The words of schedules come from a large library, which loads with the first job. Without it, the arguments stay as they are. */
const JobApproval = lazy<CallArgumentsProps>(
  () =>
    import('../../feature/jobs/job_approval').then(
      module => module.JobApproval,
      () => ExactArguments,
    ),
  ExactArguments,
);

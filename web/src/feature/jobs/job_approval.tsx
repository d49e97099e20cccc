import { useEffect, useState } from 'preact/hooks';
import { callRest } from '../../api/call_rest';
import type { GatewayInfo } from '../../api/rest_types';
import { ArgumentList } from '../../components/calls/argument_list';
import { useLocale } from '../../i18n/language_context';
import { listJobArguments } from './job_arguments';

/** Shows the arguments of a call that makes or changes a job. */
export function JobApproval({ tool, args }: { tool: string; args: unknown }) {
  return <ArgumentList tool={tool} rows={listJobArguments(args, useLocale(), useGatewayZone())} />;
}

/** Returns the time zone of the gateway once it is known. */
function useGatewayZone(): string | undefined {
  const [zone, setZone] = useState<string>();
  useEffect(() => {
    callRest<GatewayInfo>('GET', '/info').then(
      info => setZone(info.timeZone),
      () => undefined,
    );
  }, []);
  return zone;
}

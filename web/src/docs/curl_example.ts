/** Commands to try an operation with. What varies in a path becomes a shell variable. */
import type { ApiOperation } from './api_document';

export interface CurlExample {
  /** What the caller gets. */
  kind: 'result' | 'events' | 'at_once';
  command: string;
}

/** One command for each way to ask; the plain one first. */
export function curlExamples(operation: ApiOperation, origin: string): CurlExample[] {
  const hasStream = operation.answers.some(answer => answer.isStream);
  const canLeave = operation.parameters.some(parameter => parameter.in === 'header' && parameter.name === 'prefer');
  return [
    { kind: 'result', command: curl(operation, origin) },
    ...(hasStream
      ? [{ kind: 'events' as const, command: curl(operation, origin, { header: 'accept: text/event-stream', flag: '-N' }) }]
      : []),
    ...(canLeave ? [{ kind: 'at_once' as const, command: curl(operation, origin, { header: 'prefer: respond-async', flag: '' }) }] : []),
  ];
}

function curl({ method, path, body }: ApiOperation, origin: string, ask?: { header: string; flag: string }): string {
  const url = `${origin}${path.replace(/\{(\w+)\}/g, (_, name: string) => `$${variableOf(path, name)}`)}`;
  const parts = [
    ['curl', ask?.flag ?? '', methodFlag(method, body !== undefined), `"${url}"`].filter(Boolean).join(' '),
    ask ? `-H '${ask.header}'` : '',
    body ? "-H 'content-type: application/json'" : '',
    body ? `-d '${JSON.stringify(body.examples?.[0] ?? {}).replaceAll("'", "'\\''")}'` : '',
  ];
  return parts.filter(Boolean).join(' \\\n  ');
}

/** curl's own choice is GET, and POST when there is a body. */
function methodFlag(method: string, hasBody: boolean): string {
  const own = hasBody ? 'post' : 'get';
  return method === own ? '' : `-X ${method.toUpperCase()}`;
}

/** `/runs/{id}` -> RUN_ID, `/clarifications/{requestId}` -> REQUEST_ID. */
function variableOf(path: string, name: string): string {
  if (name !== 'id') return name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase();
  const owner =
    path
      .slice(0, path.indexOf(`/{${name}}`))
      .split('/')
      .at(-1) ?? '';
  return `${owner.replace(/s$/, '').toUpperCase()}_ID`;
}

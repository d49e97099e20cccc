import { useEffect, useMemo } from 'preact/hooks';
import { callRest } from '../../api/call_rest';
import type { AgentSummary, Page } from '../../api/rest_types';
import { readNames } from '../../components/people/people_names';
import { type OpsController, useOps, usePlace } from '../../ops/shared/ops_controller';
import { opsHref, runHref } from '../../ops/shared/place';
import { createStore, useStore } from '../../platform/store';
import type { JobHost } from './job_host';
import { JobsView } from './job_view';

/** The jobs, as the chat page shows them. Their runs open on the page of the run. */
export function JobsScreen() {
  const ops = useOps();
  const { query } = usePlace();
  const host = useMemo(() => createHost(ops), [ops]);
  const me = useStore(ops.store, state => state.me);
  useEffect(() => {
    host.store.set({ me });
    if (me?.person) void readNames(host.store);
  }, [host, me]);
  return <JobsView controller={host} item={query['job']} />;
}

function createHost(ops: OpsController): JobHost {
  const store: JobHost['store'] = createStore({ peopleNames: {} });
  return {
    store,
    notify: ops.notify,
    runHref: runId => runHref(runId),
    openMessage: ({ runId }) => ops.go(runHref(runId)),
    openView: view => ops.go(opsHref('jobs', { query: { job: view?.item } }), 'replace'),
    // This page lists no chats.
    sessions: { refreshSoon: () => undefined },
    loadAgents: async () => {
      const agents = await callRest<Page<AgentSummary>>('GET', '/agents').catch(() => undefined);
      if (agents) store.set({ agents: agents.data });
    },
  };
}

import { Type } from '@sinclair/typebox';
import { createSystemClock } from '../../../src/adapter/local/node/clock';
import { createIdSource } from '../../../src/adapter/local/node/ids';
import { createInstanceId } from '../../../src/adapter/local/node/instance_id';
import { DEFAULT_TENANT as tenantId } from '../../../src/port/principal';
import { WorkspaceError } from '../../../src/port/workspace';
import { createApprovalPolicy } from '../../../src/runtime/approval/approval_policy';
import { ResultCache } from '../../../src/runtime/tool_runner/result_cache';
import { DirectCallService } from '../../../src/service/tool/direct_call_service';
import { FileEditingService } from '../../../src/service/tool/file_editing_service';
import { ToolAccessSources } from '../../../src/service/tool/tool_access';
import { ToolCounts } from '../../../src/service/tool/tool_counts';
import { NO_WORKSPACE_SYNC, type WorkspaceSync } from '../../../src/service/workspace/workspace_sync';
import { defineTool, textResult } from '../../../src/tools/common';
import { ToolRegistry } from '../../../src/tools/registry';
import { Slot } from '../../../src/utils/slot';
import { NO_OBSERVER, NO_REDACTOR } from '../../support/no_observer';
import { openTemporaryStore, type TemporaryStore } from '../../support/temporary_store';
import { openToolBench, type ToolBench } from '../../support/tool_context';

const clock = createSystemClock();
let bench: ToolBench;
let temporary: TemporaryStore;
beforeEach(async () => {
  bench = await openToolBench();
  temporary = await openTemporaryStore();
});
afterEach(async () => {
  await temporary.release();
  await bench.close();
});

let timesRun = 0;
const countTool = defineTool({
  name: 'count',
  toolset: 'base',
  label: 'Count',
  description: 'Counts its calls',
  effect: 'write',
  parameters: Type.Object({}, { additionalProperties: false }),
  execute: async () => {
    timesRun += 1;
    return textResult(`${timesRun}`);
  },
});

function openService(sync: Partial<WorkspaceSync>, errors: unknown[]): DirectCallService {
  const { workspace, shell } = bench.ctx;
  const notUsed = () => Promise.reject(new Error('not used'));
  const own = { workspace, shell, fileSearch: { search: notUsed, list: notUsed } };
  const undoStore = { keep: notUsed, find: notUsed, stateOf: notUsed, markUndone: notUsed, forget: notUsed };
  const ports = {
    store: temporary.store,
    clock,
    ids: createIdSource(clock),
    identity: createInstanceId(),
    workspaces: { hasSeveralTenants: false, workspaceOf: () => own, close: async () => {} },
    observer: NO_OBSERVER,
    redactor: NO_REDACTOR,
    sessionAccess: { isInUse: false, maySee: async () => true },
  };
  const onError = (_message: string, thrown: unknown) => errors.push(thrown);
  return new DirectCallService({
    ports,
    tools: new ToolRegistry([countTool]),
    switches: { toolOffText: () => undefined },
    fileEditing: new FileEditingService({ ports: { undoStore, patchEngine: { patch: notUsed, close: async () => {} } }, onError }),
    toolAccess: new ToolAccessSources(),
    workspaceSync: new Slot<WorkspaceSync>('workspaceSync', { ...NO_WORKSPACE_SYNC, ...sync }),
    cache: new ResultCache(clock, { ttlMs: 1, maxEntries: 1 }),
    retries: { maxTries: 1, retryMs: 0 },
    policies: { policyOf: () => createApprovalPolicy({ rules: [], isIsolated: true }) },
    toolCounts: new ToolCounts(ports),
    onError,
  });
}

it('ends a call with an error when the files of its workspace cannot be brought up to date', async () => {
  const thrown = new WorkspaceError('io', 'a.md: its stored bytes are missing.', 'a.md：存储的内容缺失。');
  const errors: unknown[] = [];
  const service = openService({ bring: () => Promise.reject(thrown) }, errors);
  const request = { tenantId, toolName: 'count', parameters: {}, locale: 'en' as const };
  const result = await service.callTool(request, new AbortController().signal);
  expect(result).toMatchObject({ status: 'error' });
  expect(JSON.stringify(result)).toContain('could not be brought to this gateway. a.md: its stored bytes are missing.');
  const { id } = await service.startCall(request);
  expect(await service.waitForAnswer(request, id)).toMatchObject({ status: 'error' });
  expect(await temporary.store.read.toolExecutions.get(tenantId, id)).toMatchObject({ status: 'error' });
  expect([timesRun, errors]).toEqual([0, [thrown, thrown]]);
});

/** Two tenants share a process, a result cache and a tool log; neither sees anything of the other. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { createSystemClock } from '../../src/adapter/local/node/clock';
import { createIdSource } from '../../src/adapter/local/node/ids';
import { createInstanceId } from '../../src/adapter/local/node/instance_id';
import { openTenantUndo } from '../../src/adapter/local/workspace/tenant_undo';
import { createTenantWorkspaces } from '../../src/adapter/local/workspace/tenant_workspaces';
import { openOwnWorkspace } from '../../src/adapter/local/workspace/workspace';
import { SearchIndexer } from '../../src/feature/search/search_indexer';
import { SearchService } from '../../src/feature/search/search_service';
import { SessionSearch } from '../../src/feature/search/session_search';
import { NO_OTHER_NODES } from '../../src/port/node_bus';
import type { UndoStore } from '../../src/port/undo_store';
import { WorkspaceError } from '../../src/port/workspace';
import { createApprovalPolicy } from '../../src/runtime/approval/approval_policy';
import { assembleTools } from '../../src/runtime/tool_assembler';
import { ResultCache } from '../../src/runtime/tool_runner/result_cache';
import { createToolRunner } from '../../src/runtime/tool_runner/tool_runner';
import { SessionAccess } from '../../src/service/access/session_access';
import { DirectCallService } from '../../src/service/tool/direct_call_service';
import { FileEditingService } from '../../src/service/tool/file_editing_service';
import { ToolAccessSources } from '../../src/service/tool/tool_access';
import { ToolCounts } from '../../src/service/tool/tool_counts';
import { ToolService } from '../../src/service/tool/tool_service';
import { UndoService } from '../../src/service/tool/undo_service';
import { NO_WORKSPACE_SYNC, type WorkspaceSync } from '../../src/service/workspace/workspace_sync';
import { fileDeleteTool } from '../../src/tools/builtin/file_delete';
import { writeFileTool } from '../../src/tools/builtin/write_file';
import { defineTool, textResult } from '../../src/tools/common';
import { ToolRegistry } from '../../src/tools/registry';
import { Slot } from '../../src/utils/slot';
import { NO_OBSERVER, NO_REDACTOR } from '../support/no_observer';
import { aMessage, aSession } from '../support/store_records';
import { openTemporaryStore, type TemporaryStore } from '../support/temporary_store';
import { openToolBench, type ToolBench } from '../support/tool_context';

const clock = createSystemClock();

/** Returns a secret of the calling tenant. */
const secretTool = defineTool({
  name: 'secret',
  toolset: 'base',
  label: 'Secret',
  description: 'Tells a secret',
  effect: 'read',
  parameters: Type.Object({}, { additionalProperties: false }),
  execute: async (_args, ctx) => textResult(`what ${ctx.tenantId} hides`),
});

let bench: ToolBench;
let temporary: TemporaryStore;
let dataDir: string;
let cache: ResultCache;
let tools: ToolService;
let directCalls: DirectCallService;
let undo: UndoService;
let undoStore: UndoStore;
/** What the workspace answers when its files are brought up to date. */
let refusal: WorkspaceError | undefined;

beforeAll(async () => {
  bench = await openToolBench();
  temporary = await openTemporaryStore();
  dataDir = await mkdtemp(join(tmpdir(), 'neta-data-'));
  undoStore = await openTenantUndo(dataDir);
  const { workspace, shell } = bench.ctx;
  const notUsed = () => Promise.reject(new Error('not used'));
  const fileSearch = { search: notUsed, list: notUsed };
  const workspaces = createTenantWorkspaces({
    own: { workspace, shell, fileSearch },
    openAt: root => ({ workspace: openOwnWorkspace(root), shell, fileSearch }),
    dataDir,
    close: async () => {},
  });
  const ports = {
    store: temporary.store,
    clock,
    ids: createIdSource(clock),
    identity: createInstanceId(),
    workspaces,
    undoStore,
    observer: NO_OBSERVER,
    redactor: NO_REDACTOR,
    sessionAccess: { isInUse: false, maySee: async () => true },
  };
  const onError = (message: string) => {
    throw new Error(message);
  };
  const patchEngine = { patch: () => Promise.reject(new Error('not used')), close: async () => {} };
  const fileEditing = new FileEditingService({ ports: { undoStore, patchEngine }, onError });
  cache = new ResultCache(clock, { ttlMs: 300_000, maxEntries: 100 });
  const policy = createApprovalPolicy({ rules: [], isIsolated: true });
  const registry = new ToolRegistry([secretTool, writeFileTool, fileDeleteTool]);
  const toolCounts = new ToolCounts(ports);
  const switches = { toolOffText: () => undefined };
  tools = new ToolService({ ports, tools: registry, models: { listAsideFor: () => [] }, toolCounts, switches, onError });
  directCalls = new DirectCallService({
    ports,
    tools: registry,
    switches,
    fileEditing,
    toolAccess: new ToolAccessSources(),
    workspaceSync: new Slot<WorkspaceSync>('workspaceSync', NO_WORKSPACE_SYNC),
    cache,
    retries: { maxTries: 1, retryMs: 0 },
    policies: { policyOf: () => policy },
    toolCounts,
    onError,
  });
  const bring = async () => {
    if (refusal) throw refusal;
  };
  undo = new UndoService({ ports, bring, onChange: tenantId => cache.invalidate(tenantId), keep: async () => {} });
});
afterAll(async () => {
  await temporary.release();
  await bench.close();
  await rm(dataDir, { recursive: true, force: true });
});

const call = (tenantId: string, toolName: string, parameters: Record<string, unknown>) =>
  directCalls.callTool({ tenantId, toolName, parameters, locale: 'en' }, new AbortController().signal);
const log = async (tenantId: string) => (await tools.listExecutions(tenantId, {}, { limit: 100 })).data;
const text = (tenantId: string, path: string) => readFile(join(dataDir, 'tenants', tenantId, 'workspace', path), 'utf8');

it('does not answer the same call of another tenant from the cache, not even in the same session', async () => {
  const { toolCallId: _id, signal, onOutput: _output, ...context } = bench.ctx;
  const told = async (tenantId: string) => {
    const runner = createToolRunner({
      tools: assembleTools([secretTool], { toolsets: ['base'] }, 'en'),
      toolContext: { ...context, tenantId },
      journal: { delta: () => {}, append: () => {}, record: async () => {} },
      clock,
      signal,
      cache,
    });
    return (await runner.runCalls([{ id: 'call', type: 'function', function: { name: 'secret', arguments: '{}' } }]))[0]?.message.content;
  };
  expect([await told('ann'), await told('bob'), await told('ann')]).toEqual(['what ann hides', 'what bob hides', 'what ann hides']);
});

it('shows each tenant only its own tool executions', async () => {
  await call('carol', 'secret', {});
  await call('dave', 'secret', {});
  expect((await log('carol')).map(execution => execution.result)).toEqual(['what carol hides']);
  expect((await log('dave')).map(execution => execution.result)).toEqual(['what dave hides']);
  expect(await log('eve')).toEqual([]);
});

it('lets only the tenant that made a change undo it, including a deleted file', async () => {
  await call('frank', 'write_file', { path: 'f.txt', content: 'precious\n' });
  await call('frank', 'file_delete', { path: 'f.txt' });
  const [deletion] = await log('frank');
  expect(deletion).toMatchObject({ tool: 'file_delete', details: { undoable: true } });
  const id = String(deletion?.id);
  await expect(undo.undo('grace', id)).rejects.toMatchObject({ code: 'not_found' });
  refusal = new WorkspaceError('io', 'f.txt is being changed at another gateway. Try again.', '');
  await expect(undo.undo('frank', id)).rejects.toMatchObject({ code: 'store_unavailable', message: refusal.message });
  refusal = undefined;
  expect(await undo.undo('frank', id)).toEqual({ undone: true, path: 'f.txt' });
  expect(await text('frank', 'f.txt')).toBe('precious\n');
  await expect(undo.undo('frank', id)).rejects.toMatchObject({ code: 'undo_conflict' });
});

it('gives each tenant files of its own, whatever the path', async () => {
  await call('judy', 'write_file', { path: 'same.txt', content: 'of judy\n' });
  await call('kate', 'write_file', { path: 'same.txt', content: 'of kate\n' });
  expect([await text('judy', 'same.txt'), await text('kate', 'same.txt')]).toEqual(['of judy\n', 'of kate\n']);
  const place = join(dataDir, 'tenants/judy/workspace/same.txt');
  for (const path of [place, '../../judy/workspace/same.txt', 'a/../../../judy/workspace/same.txt']) {
    expect(await call('kate', 'write_file', { path, content: 'stolen\n' })).toMatchObject({ status: 'error' });
  }
  expect(await text('judy', 'same.txt')).toBe('of judy\n');
});

it('keeps undo copies of a tenant when another tenant changes many files', async () => {
  await call('laura', 'write_file', { path: 'l.txt', content: 'old\n' });
  await call('laura', 'file_delete', { path: 'l.txt' });
  const [deletion] = await log('laura');
  for (let i = 0; i < 501; i++)
    await undoStore.keep({ tenantId: 'mallory', toolCallId: `c${i}` }, { path: 'm.txt', before: Buffer.from('m') });
  expect(await undo.undo('laura', String(deletion?.id))).toEqual({ undone: true, path: 'l.txt' });
  expect(await text('laura', 'l.txt')).toBe('old\n');
});

it('does not undo a deletion when a new file has the same path', async () => {
  await call('heidi', 'write_file', { path: 'h.txt', content: 'old\n' });
  await call('heidi', 'file_delete', { path: 'h.txt' });
  const [deletion] = await log('heidi');
  await call('heidi', 'write_file', { path: 'h.txt', content: 'new\n' });
  await expect(undo.undo('heidi', String(deletion?.id))).rejects.toMatchObject({ code: 'undo_conflict', details: { status: 'changed' } });
  expect(await text('heidi', 'h.txt')).toBe('new\n');
});

it('finds nothing of another tenant, neither messages nor titles nor by the id of a session', async () => {
  const { store } = temporary;
  const tell = (tenantId: string, id: string) =>
    store.transaction('none', async tx => {
      await tx.sessions.insert(aSession({ tenantId, id, title: `hideout of ${tenantId}` }));
      await tx.messages.insert([aMessage({ tenantId, sessionId: id, message: { role: 'user', content: `the hideout of ${tenantId}` } })]);
    });
  await tell('henry', 'ses_henry');
  await tell('irene', 'ses_irene');
  const indexer = new SearchIndexer({ store, clock, isBusy: () => false, onError: message => expect(message).toBe('') });
  const search = new SearchService({ store, clock, indexer });
  const sessionAccess = new SessionAccess({
    store,
    nodeBus: NO_OTHER_NODES,
    people: { hasPeople: false, hasGuests: false, findPerson: () => undefined, findGuestSession: () => undefined },
  });
  const access = new SessionSearch({ store, search, sessionAccess }, { tenantId: 'henry' });
  const rows = (await search.searchMessages('henry', { query: 'hideout' }, { limit: 10 })).data;
  expect(rows.map(row => row.snippet)).toEqual(['the hideout of henry']);
  expect(await access.searchSessions('henry', { query: 'irene', limit: 10 })).toEqual({ messages: [], sessions: [] });
  expect(await access.searchSessions('henry', { query: 'hideout', limit: 10, sessionId: 'ses_irene' })).toBeUndefined();
  const other = search.searchMessages('henry', { query: 'hideout', sessionId: 'ses_irene' }, { limit: 10 });
  await expect(other).rejects.toMatchObject({ code: 'not_found', param: '/sessionId' });
  indexer.stop();
});

/** Services of several tenants, with processes that the test plays. */

import type { LoadedTool } from '../../../src/feature/manifests/loaded_tool';
import type { CheckedCommand, ToolManifest } from '../../../src/feature/manifests/manifest_schema';
import { ManifestServices } from '../../../src/feature/manifests/manifest_services';
import { ToolSettings } from '../../../src/feature/manifests/tool_settings';
import type { ToolProcess, ToolProcessEnd, ToolProcesses, ToolProcessRequest } from '../../../src/port/tool_processes';
import type { Workspaces } from '../../../src/port/workspaces';
import type { ToolContext } from '../../../src/tools/common';
import { createManualClock } from '../../support/manual_clock';

const manifest = { name: 'played', config_schema: {}, network: false, commands: [], timeout: 1_000 } as unknown as ToolManifest;
const tool: LoadedTool = { manifest, program: { command: 'x', args: [], readable: [], version: '1' } };
const command = { name: 'do', effect: 'read', parameters: { type: 'object', properties: {} } } as unknown as CheckedCommand;

const settle = async () => {
  for (let turn = 0; turn < 3; turn++) await new Promise(resolve => setImmediate(resolve));
};

function play() {
  const clock = createManualClock();
  const started: { workspace: string; isEnded: boolean; requests: { id: string }[] }[] = [];
  const processes: ToolProcesses = {
    isSandboxed: true,
    memoryBytes: 1e9,
    findProgram: async () => tool.program,
    findDirectoryProblem: async () => undefined,
    async start({ workspace, signal, onLine }: ToolProcessRequest): Promise<ToolProcess> {
      const { promise, resolve } = Promise.withResolvers<ToolProcessEnd>();
      const played = { workspace, isEnded: false, requests: [] as { id: string }[] };
      started.push(played);
      signal.addEventListener('abort', () => {
        played.isEnded = true;
        resolve({ exitCode: null, killed: 'aborted' });
      });
      setImmediate(() => onLine('{"ready":true}'));
      const answer = (line: string) => {
        const request = JSON.parse(line) as { id: string };
        played.requests.push(request);
        onLine(JSON.stringify({ id: request.id, status: 'success', message: `seen from ${workspace}` }));
      };
      return { writeLine: line => queueMicrotask(() => answer(line)), closeInput: () => {}, renewOutputLimit: () => {}, ended: promise };
    },
  };
  let ids = 0;
  const workspaces = { workspaceOf: tenantId => ({ workspace: { root: `/w/${tenantId}` } }), close: async () => {} } as Workspaces;
  const services = new ManifestServices({
    processes,
    workspaces,
    settings: new ToolSettings({ readSettings: async () => undefined, readExample: async () => undefined }),
    clock,
    ids: { uuid: () => `id-${ids++}` },
    onError: message => {
      throw new Error(message);
    },
    onInfo: () => {},
  });
  const call = async (tenantId: string) => {
    const ctx = { tenantId, toolCallId: 'c', locale: 'en', signal: new AbortController().signal, onOutput: () => {} };
    const root = `/w/${tenantId}`;
    return (await services.call(tool, { command, args: {}, ctx: { ...ctx, workspace: { root } } as unknown as ToolContext })).content;
  };
  /** In steps, so that health checks are answered in time. */
  const pass = async (minutes: number) => {
    for (let step = 0; step < minutes * 12; step++) {
      clock.advance(5_000);
      await settle();
    }
  };
  return { pass, started, services, call };
}

it('gives each tenant a process in its own workspace, and starts those of other tenants with their first call', async () => {
  const { started, services, call } = play();
  services.keep([tool]);
  await settle();
  expect(started.map(({ workspace }) => workspace)).toEqual(['/w/default']);
  expect(await call('acme')).toBe('seen from /w/acme');
  expect(await call('default')).toBe('seen from /w/default');
  expect(await call('acme')).toBe('seen from /w/acme');
  expect(started.map(({ workspace, requests }) => [workspace, requests.length])).toEqual([
    ['/w/default', 1],
    ['/w/acme', 2],
  ]);
  await services.stop();
  expect(started.every(({ isEnded }) => isEnded)).toBe(true);
});

it('ends the process of another tenant after five idle minutes, and never that of the default tenant', async () => {
  const { pass, started, services, call } = play();
  services.keep([tool]);
  await call('acme');
  await pass(4);
  await call('acme');
  await pass(4);
  expect(started.map(({ isEnded }) => isEnded)).toEqual([false, false]);
  await pass(1);
  expect(started.map(({ isEnded }) => isEnded)).toEqual([false, true]);
  expect(await call('acme')).toBe('seen from /w/acme');
  expect(started).toHaveLength(3);
  await services.stop();
});

it('replaces the processes of all tenants when the manifest has changed', async () => {
  const { started, services, call } = play();
  services.keep([tool]);
  await call('acme');
  services.keep([{ ...tool, program: { ...tool.program, version: '2' } }]);
  await settle();
  expect(started.map(({ workspace, isEnded }) => [workspace, isEnded])).toEqual([
    ['/w/default', true],
    ['/w/acme', true],
    ['/w/default', false],
  ]);
  await services.stop();
});

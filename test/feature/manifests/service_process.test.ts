/** A service with a process that the test plays: readiness, health checks, and the pauses between restarts. */

import type { LoadedTool } from '../../../src/feature/manifests/loaded_tool';
import type { ToolManifest } from '../../../src/feature/manifests/manifest_schema';
import { ServiceProcess } from '../../../src/feature/manifests/service_process';
import { ToolSettings } from '../../../src/feature/manifests/tool_settings';
import type { ToolProcess, ToolProcessEnd, ToolProcesses, ToolProcessRequest } from '../../../src/port/tool_processes';
import { createManualClock } from '../../support/manual_clock';

interface PlayedProcess {
  request: ToolProcessRequest;
  lines: { id: string; command: string }[];
  end: (end: ToolProcessEnd) => void;
}

const manifest = { name: 'played', config_schema: {}, network: false, commands: [], timeout: 1_000 } as unknown as ToolManifest;
const tool: LoadedTool = { manifest, program: { command: 'x', args: [], readable: [], version: '1' } };

const settle = async () => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};

function play() {
  const clock = createManualClock();
  const started: PlayedProcess[] = [];
  const logged: string[] = [];
  let ids = 0;
  const processes: ToolProcesses = {
    isSandboxed: true,
    memoryBytes: 1e9,
    findProgram: async () => tool.program,
    findDirectoryProblem: async () => undefined,
    async start(request): Promise<ToolProcess> {
      const { promise, resolve } = Promise.withResolvers<ToolProcessEnd>();
      const played: PlayedProcess = { request, lines: [], end: resolve };
      request.signal.addEventListener('abort', () => resolve({ exitCode: null, killed: 'aborted' }));
      started.push(played);
      return {
        writeLine: line => void played.lines.push(JSON.parse(line)),
        closeInput: () => {},
        renewOutputLimit: () => {},
        ended: promise,
      };
    },
  };
  const settings = new ToolSettings({ readSettings: async () => undefined, readExample: async () => undefined });
  const service = new ServiceProcess(
    tool,
    {
      processes,
      settings,
      clock,
      ids: { uuid: () => `id-${ids++}` },
      onError: message => logged.push(message),
      onInfo: () => {},
    },
    '/w',
  );
  return { clock, started, logged, service, say: (value: unknown) => started.at(-1)?.request.onLine(JSON.stringify(value)) };
}

describe('jarvis.runtimes: a service', () => {
  it('that is not ready within 10 s is ended and starts again after pauses that double up to a minute', async () => {
    const { clock, started, logged, service } = play();
    service.start();
    await settle();
    for (let round = 0; round < 8; round++) {
      clock.advance(10_000);
      await settle();
      expect(service.problem).toBe('its process was not ready within 10 s');
      clock.advance(60_000);
      await settle();
    }
    expect(started).toHaveLength(9);
    const pauses = logged.map(text => Number(/in (\d+) ms/.exec(text)?.[1]));
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    await service.stop();
  });

  it('is asked for its health every 30 s, and ended when it does not answer', async () => {
    const { clock, started, service, say } = play();
    service.start();
    await settle();
    say({ ready: true });
    clock.advance(30_000);
    await settle();
    const [check] = started[0]?.lines ?? [];
    expect(check?.command).toBe('__health__');
    say({ id: check?.id, status: 'success' });
    await settle();
    expect(service.problem).toBeUndefined();
    clock.advance(30_000);
    await settle();
    clock.advance(10_000);
    await settle();
    expect(service.problem).toBe('its process did not answer the health check');
    clock.advance(1_000);
    await settle();
    expect(started).toHaveLength(2);
    await service.stop();
  });
});

/** Starts the processes of manifest tools, in the sandbox of commands where there is one and with the same limits. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { Writable } from 'node:stream';
import type { ShellLimits } from '../../../port/shell';
import type {
  ProgramProblem,
  ToolEntryPoint,
  ToolProcess,
  ToolProcesses,
  ToolProcessRequest,
  ToolProgram,
} from '../../../port/tool_processes';
import { isInside } from '../disk/safe_path';
import { MARKER_NAME } from '../processes/process_tree';
import { lowerPriority, withLowPriority } from './command_priority';
import { limitScript } from './command_script';
import { CommandWatch } from './command_watch';
import { LineSplitter } from './line_splitter';
import { RunningCommand, type SpawnedCommand } from './running_command';
import { type Sandbox, shellEnvironment, type WrappedCommand } from './shell';
import { type ToolProgramOptions, ToolPrograms } from './tool_programs';

export interface ToolProcessOptions extends Omit<ToolProgramOptions, 'environment'> {
  /** Real path of the default tenant's workspace. */
  root: string;
  environment: Readonly<Record<string, string | undefined>>;
  sandbox?: Sandbox | undefined;
  /** Directories that no tool may read or contain: the settings and the data of the gateway. */
  hidden: readonly string[];
  limits: ShellLimits;
  /** Name of this gateway in the marker of its processes; see command_owner.ts. */
  owner: string;
  /** Records a process that can reach the doors of the gateway. Call the returned function when the process has ended. */
  recordCaller: () => () => void;
}

/** Bytes of stdout, of one line and of all lines of a call. */
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
const LASTING_POLLS = { tasksMs: 1_000, tableMs: 5_000 };

export function createToolProcesses(options: ToolProcessOptions): ToolProcesses {
  return new LocalToolProcesses(options);
}

class LocalToolProcesses implements ToolProcesses {
  readonly isSandboxed: boolean;
  readonly memoryBytes: number;
  private readonly interpreter = existsSync('/bin/bash') ? ('/bin/bash' as const) : ('/bin/sh' as const);
  private readonly variables: Record<string, string>;
  private readonly sandboxes = new Map<string, Sandbox>();
  private readonly programs: ToolPrograms;
  private readonly watch: CommandWatch;
  private readonly slowWatch: CommandWatch;

  constructor(private readonly options: ToolProcessOptions) {
    const { sandbox, limits, packages, helpers } = options;
    this.isSandboxed = sandbox !== undefined;
    this.memoryBytes = limits.memoryBytes;
    this.variables = {
      NODE_PATH: [helpers, ...packages].join(':'),
      PYTHONPATH: helpers,
      PYTHONUNBUFFERED: '1',
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONIOENCODING: 'utf-8',
      NETA_TOOL_HELPERS: helpers,
    };
    this.programs = new ToolPrograms({ ...options, environment: this.environmentIn(options.root) });
    this.watch = new CommandWatch(limits);
    this.slowWatch = new CommandWatch(limits, LASTING_POLLS);
  }

  findProgram(entryPoint: ToolEntryPoint): Promise<ToolProgram | ProgramProblem> {
    return this.programs.findProgram(entryPoint);
  }

  async findDirectoryProblem(path: string): Promise<string | undefined> {
    if (!isAbsolute(path)) return 'is not an absolute path';
    const real = await realpath(path).catch(() => undefined);
    if (real === undefined) return 'does not exist';
    if (!(await stat(real)).isDirectory()) return 'is not a directory';
    const hidden = await Promise.all(this.options.hidden.map(directory => realpath(directory).catch(() => directory)));
    const isApart = hidden.every(directory => !isInside(directory, real) && !isInside(real, directory));
    return isApart ? undefined : 'holds the settings or the data of the gateway';
  }

  async start(request: ToolProcessRequest): Promise<ToolProcess> {
    const { signal, onLine, onErrorOutput, network, memoryBytes, isLasting } = request;
    const { sandbox, owner, recordCaller } = this.options;
    const marker = `${owner}/${randomUUID()}`;
    const isCaller = network || sandbox === undefined;
    const wrapped = await this.wrap(request);
    const endCaller = isCaller ? recordCaller() : () => {};
    try {
      const child = await this.spawn(wrapped, request.workspace, { [MARKER_NAME]: marker, NETA_TOOL_TYPE: isLasting ? 'service' : 'call' });
      const output = new LineSplitter({ maxBytes: MAX_OUTPUT_BYTES, onLine, onErrorOutput });
      const surroundings = {
        marker: `${MARKER_NAME}=${marker}`,
        sandboxed: sandbox !== undefined,
        watch: isLasting ? this.slowWatch : this.watch,
        output,
        memoryBytes,
      };
      const running = new RunningCommand(child, { timeoutMs: Infinity, signal }, surroundings).finish();
      const ended = running.finally(async () => {
        endCaller();
        await wrapped.release();
      });
      return toToolProcess(child.stdin, output, ended);
    } catch (thrown) {
      endCaller();
      await wrapped.release();
      throw thrown;
    }
  }

  private async wrap(request: ToolProcessRequest): Promise<WrappedCommand> {
    const { program, workspace, network, readable = [], writable = [], memoryBytes, isLasting } = request;
    const { interpreter } = this;
    const { limits } = this.options;
    const sandbox = this.sandboxOf(workspace);
    const own = {
      ...limits,
      memoryBytes: Math.min(limits.memoryBytes, memoryBytes ?? Infinity),
      // No CPU limit for a lasting process: the kernel counts from its start, so after days any limit would be reached. Its calls have time limits.
      cpuSeconds: isLasting ? Number.POSITIVE_INFINITY : limits.cpuSeconds,
    };
    const script = limitScript({ interpreter, limits: own, sandboxed: sandbox !== undefined });
    const args = ['-c', `${script} exec "$@"`, 'sh', program.command, ...program.args];
    if (!sandbox) return { ...withLowPriority(interpreter, args), descriptors: [], release: async () => {} };
    return sandbox.wrap(interpreter, args, workspace, { readable: [...program.readable, ...readable], writable, network });
  }

  /** Undefined when there is no sandbox. */
  private sandboxOf(workspace: string): Sandbox | undefined {
    const { root, sandbox } = this.options;
    if (!sandbox || workspace === root) return sandbox;
    const known = this.sandboxes.get(workspace) ?? sandbox.forRoot(workspace);
    this.sandboxes.set(workspace, known);
    return known;
  }

  private environmentIn(workspace: string): Record<string, string> {
    return { ...shellEnvironment({ ...this.options, root: workspace }), ...this.variables };
  }

  private async spawn(
    { command, args, descriptors }: WrappedCommand,
    cwd: string,
    variables: Record<string, string>,
  ): Promise<SpawnedCommand & { stdin: Writable }> {
    const stdio = ['pipe' as const, 'pipe' as const, 'pipe' as const, 'ignore' as const, ...descriptors];
    const env = { ...this.environmentIn(cwd), ...variables };
    const child = spawn(command, args, { cwd, env, detached: true, stdio });
    // No pid: the program does not exist, or descriptors ran out. The reason comes as an event.
    if (child.pid === undefined) throw (await once(child, 'error'))[0];
    lowerPriority(child.pid);
    // The options above open all three pipes.
    return child as SpawnedCommand & { stdin: Writable };
  }
}

function toToolProcess(stdin: Writable, output: LineSplitter, ended: ReturnType<RunningCommand['finish']>): ToolProcess {
  // A process that ends before it has read its input closes the pipe; this error means nothing more.
  stdin.on('error', () => {});
  return {
    writeLine: line => void stdin.write(`${line}\n`),
    closeInput: () => void stdin.end(),
    renewOutputLimit: () => output.renew(),
    ended: ended.then(({ exitCode, killed, limit }) => {
      output.finish();
      return { exitCode, killed, limit };
    }),
  };
}

/** Finds the programs of manifest tools: the entry file, and the runtime that it needs. */
import { execFile } from 'node:child_process';
import { access, constants, realpath, stat } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { ProgramProblem, ToolEntryPoint, ToolProgram } from '../../../port/tool_processes';
import { isInside } from '../disk/safe_path';

export interface ToolProgramOptions {
  /** Absolute path of the folder that holds all manifests; no entry may lie outside. */
  toolsFolder: string;
  /** Real paths of the directories with packages of the gateway and with the helpers for authors. */
  packages: readonly string[];
  helpers: string;
  /** Environment of the processes. */
  environment: Readonly<Record<string, string>>;
}

interface Interpreter {
  command: string;
  args: readonly string[];
  readable: readonly string[];
}

const PYTHON_LIMIT_MS = 10_000;
/** Names the interpreter behind a wrapper such as pyenv's, and the directories of its modules. */
const PYTHON_PROBE = 'import sys; print(sys.executable); print(sys.prefix); print(sys.base_prefix)';

export class ToolPrograms {
  private python: Promise<Interpreter | ProgramProblem> | undefined;

  constructor(private readonly options: ToolProgramOptions) {}

  async findProgram(entryPoint: ToolEntryPoint): Promise<ToolProgram | ProgramProblem> {
    const { runtime, args } = entryPoint;
    const file = await this.findEntry(entryPoint);
    if ('problem' in file) return file;
    const { path, readable, version } = file;
    const interpreter = await this.interpreterOf(runtime);
    if ('problem' in interpreter) return interpreter;
    const command = interpreter.command === '' ? path : interpreter.command;
    const given = interpreter.command === '' ? args : [...interpreter.args, path, ...args];
    return { command, args: given, readable: [...new Set([...readable, ...interpreter.readable])], version };
  }

  private async interpreterOf(runtime: ToolEntryPoint['runtime']): Promise<Interpreter | ProgramProblem> {
    const { helpers, packages } = this.options;
    if (runtime === 'native') return { command: '', args: [], readable: [helpers] };
    if (runtime === 'javascript') {
      const command = await realpath(process.execPath);
      const args = ['--import', join(helpers, 'resolve_packages.mjs')];
      return { command, args, readable: [dirname(command), helpers, ...packages] };
    }
    this.python ??= this.findPython();
    const found = await this.python;
    // Not remembered when it was missing, because it may be installed later.
    if ('problem' in found) this.python = undefined;
    return found;
  }

  private async findPython(): Promise<Interpreter | ProgramProblem> {
    const { environment, helpers } = this.options;
    try {
      const options = { env: environment, timeout: PYTHON_LIMIT_MS, cwd: helpers };
      const { stdout } = await promisify(execFile)('python3', ['-I', '-c', PYTHON_PROBE], options);
      const [command = '', ...prefixes] = stdout.trim().split('\n');
      const modules = await Promise.all(prefixes.map(path => realpath(path).catch(() => undefined)));
      const directories = modules.filter(path => path !== undefined && path !== '/' && !path.startsWith('/usr'));
      return { command, args: [], readable: [helpers, ...directories.filter(path => path !== undefined)] };
    } catch (thrown) {
      const isMissing = (thrown as NodeJS.ErrnoException).code === 'ENOENT';
      const problem = isMissing ? 'python3 is not installed: the gateway finds none on its PATH' : 'python3 does not start on this machine';
      return { field: '/runtime', problem };
    }
  }

  private async findEntry({
    runtime,
    entry,
    folder,
  }: ToolEntryPoint): Promise<(Pick<ToolProgram, 'readable' | 'version'> & { path: string }) | ProgramProblem> {
    const bad = (problem: string): ProgramProblem => ({ field: '/entry', problem });
    const isNative = runtime === 'native';
    if (isAbsolute(entry) && !isNative) return bad('must be a path relative to the folder of the manifest');
    const written = resolve(folder, entry);
    const path = await realpath(written).catch(() => undefined);
    if (path === undefined && isNative && !entry.includes('/')) {
      const found = await this.findOnPath(entry);
      return found ? this.described(found) : bad(`there is no file ${entry} beside the manifest and no such command on PATH`);
    }
    if (path === undefined) return bad(`there is no file ${entry}`);
    const root = await realpath(this.options.toolsFolder).catch(() => this.options.toolsFolder);
    if (!isAbsolute(entry) && !isInside(root, path)) return bad('must stay inside the folder tools');
    if (!(await stat(path)).isFile()) return bad(`${entry} is not a file`);
    const mode = isNative ? constants.R_OK | constants.X_OK : constants.R_OK;
    const isUsable = await access(path, mode).then(
      () => true,
      () => false,
    );
    if (!isUsable) return bad(isNative ? `${entry} is not executable: run chmod +x` : `${entry} cannot be read`);
    return this.described(path);
  }

  private async described(path: string) {
    const { mtimeMs, size, ino } = await stat(path);
    return { path, readable: [dirname(path)], version: `${path} ${mtimeMs} ${size} ${ino}` };
  }

  private async findOnPath(name: string): Promise<string | undefined> {
    for (const directory of (this.options.environment['PATH'] ?? '').split(delimiter).filter(isAbsolute)) {
      const path = join(directory, name);
      const isProgram = await access(path, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (isProgram && (await stat(path)).isFile()) return path;
    }
    return undefined;
  }
}

import type { Clock, IdSource } from '../../port/clock';
import type { LogError, LogInfo } from '../../port/logger';
import type { ToolProcesses, ToolProcessRequest, ToolProgram } from '../../port/tool_processes';
import type { Workspaces } from '../../port/workspaces';
import type { ToolManifest } from './manifest_schema';
import type { LoadedSettings, ToolSettings } from './tool_settings';

/** A manifest whose tools can be called. */
export interface LoadedTool {
  readonly manifest: ToolManifest;
  readonly program: ToolProgram;
}

export interface ToolCallDeps {
  processes: ToolProcesses;
  workspaces: Workspaces;
  settings: ToolSettings;
  ids: Pick<IdSource, 'uuid'>;
  clock: Clock;
  onError: LogError;
  /** Receives what processes of tools print. */
  onInfo: LogInfo;
}

/** Returns what every process of the tool may use, whichever workspace it starts in. */
export function permissionsOf(
  { manifest, program }: LoadedTool,
  settings: LoadedSettings,
): Pick<ToolProcessRequest, 'program' | 'network' | 'readable' | 'writable' | 'memoryBytes'> {
  const directories = (access: 'read' | 'write') =>
    Object.entries(manifest.config_schema)
      .filter(([, field]) => field.access === access)
      .flatMap(([name]) => directoriesOf(settings.values[name]));
  return {
    program,
    network: manifest.network,
    readable: directories('read'),
    writable: directories('write'),
    memoryBytes: manifest.memory_mb === undefined ? undefined : manifest.memory_mb * 1024 * 1024,
  };
}

/** Returns the paths in a list that is separated by commas. */
export const directoriesOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? value
        .split(',')
        .map(path => path.trim())
        .filter(path => path !== '')
    : [];

/** Returns a function that removes the secrets from a text, as they are and as JSON writes them. */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const forms = [...new Set(secrets.flatMap(secret => [secret, JSON.stringify(secret).slice(1, -1)]))];
  // Longer secrets come first, because a secret may be the beginning of another one.
  forms.sort((a, b) => b.length - a.length);
  return text => forms.reduce((rest, form) => rest.replaceAll(form, '[secret]'), text);
}

export const memoryLimitOf = ({ memory_mb }: ToolManifest, { memoryBytes }: Pick<ToolProcesses, 'memoryBytes'>): number =>
  Math.min(memoryBytes, (memory_mb ?? Infinity) * 1024 * 1024);

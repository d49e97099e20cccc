/** The manifests of tools: read at start, read again when they change, and given to the registry of tools. */

import type { ConfigFiles, ManifestFile } from '../../port/config_files';
import type { Redactor } from '../../port/redactor';
import type { ToolProcesses } from '../../port/tool_processes';
import type { ConfigReloads } from '../../service/audit/config_reloads';
import type { ToolContext, ToolResult } from '../../tools/common';
import { isUnusable, type ToolEntry } from '../../tools/foreign_tools';
import type { ToolRegistry } from '../../tools/registry';
import { coalesceCalls } from '../../utils/coalesce_calls';
import { contentHash } from '../../utils/content_hash';
import { callProcess } from './call_process';
import { type CallInput, defaultsOf } from './call_request';
import { callGatewayCommand, isGatewayEntry } from './gateway_entry';
import type { LoadedTool, ToolCallDeps } from './loaded_tool';
import { inFile, ManifestReader, type Reading } from './manifest_reader';
import type { CheckedCommand } from './manifest_schema';
import { ManifestServices } from './manifest_services';
import { createManifestTools, toolNameOf } from './manifest_tools';
import { ToolSettings } from './tool_settings';

export interface ManifestCatalogDeps extends Omit<ToolCallDeps, 'processes' | 'settings'> {
  files: Pick<ConfigFiles, 'readManifests' | 'readSettings' | 'readExample' | 'watchManifests'>;
  toolProcesses: ToolProcesses;
  registry: ToolRegistry;
  /** Gets the secrets of settings. */
  redactor: Redactor;
  configReloads: Pick<ConfigReloads, 'recordChanges'>;
  /** A search service of the gateway is set up. */
  hasSearch: boolean;
}

type Usable = Reading & LoadedTool;

const DEPENDENCY_POLL_MS = 500;

export class ManifestCatalog {
  private readings: readonly Reading[] = [];
  /** Name of a manifest -> the version that is in use; absent before the first reading. */
  private versions: ReadonlyMap<string, string> | undefined;
  /** A hash of the tools that the registry has of each manifest. */
  private readonly registered = new Map<string, string>();
  private services: ManifestServices | undefined;
  private callDeps: ToolCallDeps | undefined;
  private logged: ReadonlySet<string> = new Set();
  private stopPolling: () => void = () => {};
  private isStopped = false;

  constructor(private readonly deps: ManifestCatalogDeps) {}

  /** Reads the manifests and watches their folders from then on. Call it before the profiles of agents are checked. */
  async start(): Promise<void> {
    const { files, onError } = this.deps;
    files.watchManifests(() => void this.reload().catch(thrown => onError('the manifests cannot be read again', thrown)));
    await this.reload();
  }

  /** Ends the processes of services. Never rejects. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.stopPolling();
    await this.services?.stop();
  }

  /** Reads the manifests again. Resolves when a reading that began after this call has ended. */
  readonly reload = coalesceCalls(() => this.readAll());

  /** Returns a sentence for each mistake, and for each service that does not answer. */
  warnings(): string[] {
    return [...this.readings.flatMap(({ warnings }) => warnings), ...(this.services?.warnings() ?? [])];
  }

  private async readAll(): Promise<void> {
    const files = await this.deps.files.readManifests();
    if (this.isStopped) return;
    if (files.length === 0 && this.readings.length === 0) return this.noteVersions(files);
    const reader = new ManifestReader({ ...this.getCallDeps(), registry: this.deps.registry, hasSearch: this.deps.hasSearch });
    const read = async (file: ManifestFile) =>
      reader.readManifest(
        file,
        this.readings.find(before => before.file === file.name),
      );
    this.readings = withoutDoubles(await Promise.all(files.map(read)));
    await this.noteVersions(files);
    if (this.isStopped) return;
    this.register();
    this.logNewWarnings();
  }

  /** Records which manifests and which files of their settings have changed. */
  private async noteVersions(files: readonly ManifestFile[]): Promise<void> {
    const settings = await Promise.all(this.readings.map(({ name }) => this.deps.files.readSettings(name)));
    const read = [...files, ...settings.filter(file => file !== undefined)];
    const versions = new Map(read.map(({ name, version }) => [name, version]));
    if (this.versions) void this.deps.configReloads.recordChanges(this.versions, versions);
    this.versions = versions;
  }

  /** Registers the tools of changed manifests. Called again when tools appear on which a manifest depends. */
  private register(): void {
    const { registry } = this.deps;
    const usable = this.findUsable();
    const entries = new Map(this.readings.map(reading => [reading.name, this.entriesOf(reading, usable)]));
    for (const name of this.registered.keys()) if (!entries.has(name)) entries.set(name, []);
    for (const [name, list] of entries) {
      const hash = contentHash(JSON.stringify(list.map(entry => (isUnusable(entry) ? entry : { ...entry, execute: undefined }))));
      if (this.registered.get(name) !== hash) registry.replaceTools(name, list, 'manifest');
      if (list.length > 0) this.registered.set(name, hash);
      else this.registered.delete(name);
    }
    this.keepServices(usable.filter(({ manifest }) => manifest.type === 'service'));
    this.watchDependencies();
  }

  private keepServices(tools: readonly Usable[]): void {
    if (!this.services && tools.length === 0) return;
    this.services ??= new ManifestServices(this.getCallDeps());
    this.services.keep(tools);
  }

  /** Leaves out manifests that depend on missing tools, and manifests that depend on those. */
  private findUsable(): Usable[] {
    let usable = this.readings.filter((reading): reading is Usable => reading.program !== undefined);
    for (;;) {
      const left = usable.filter(({ manifest }) => manifest.dependencies.every(name => this.isThere(name, usable)));
      if (left.length === usable.length) return left;
      usable = left;
    }
  }

  /** A dependency is a manifest, a tool, or a toolset such as an MCP server. */
  private isThere(name: string, usable: readonly Usable[]): boolean {
    if (
      usable.some(
        ({ manifest }) => name === manifest.name || manifest.commands.some(command => name === `${manifest.name}__${command.name}`),
      )
    )
      return true;
    return this.deps.registry.list().some(tool => tool.origin !== 'manifest' && (tool.name === name || tool.toolset === name));
  }

  private entriesOf(reading: Reading, usable: readonly Usable[]): ToolEntry[] {
    const { manifest, name, program } = reading;
    const isTaken = (tool: string) => this.deps.registry.has(tool) && this.deps.registry.get(tool)?.origin !== 'manifest';
    const tool = usable.find(one => one === reading);
    if (tool) {
      const version = contentHash(JSON.stringify([tool.manifest, tool.program.version]));
      return createManifestTools(tool.manifest, { isTaken, version, call: (...call) => this.call(tool, ...call) });
    }
    const missing = manifest?.dependencies.filter(dependency => !this.isThere(dependency, usable)) ?? [];
    const problems = program
      ? missing.map(dependency => inFile(`${reading.file}:/dependencies: there is no tool ${dependency}`))
      : reading.problems;
    const row = { toolset: name, origin: 'manifest' as const, problems };
    if (!manifest) return [{ ...row, name, label: name }];
    return manifest.commands.map(command => ({ ...row, name: toolNameOf(manifest, command, isTaken), label: manifest.display_name }));
  }

  private call(tool: LoadedTool, command: CheckedCommand, args: Record<string, unknown>, ctx: ToolContext): Promise<ToolResult> {
    const input = { command, args, ctx };
    if (isGatewayEntry(tool.manifest)) return this.callGateway(tool, input);
    if (tool.manifest.type === 'service' && this.services) return this.services.call(tool, input);
    return callProcess(tool, input, this.getCallDeps());
  }

  private getCallDeps(): ToolCallDeps {
    const { files, toolProcesses, workspaces, redactor, ids, clock, onError, onInfo } = this.deps;
    const settings = new ToolSettings(files, redactor);
    this.callDeps ??= { processes: toolProcesses, workspaces, settings, ids, clock, onError, onInfo };
    return this.callDeps;
  }

  private async callGateway({ manifest }: LoadedTool, { command, args, ctx }: Omit<CallInput, 'manifest'>): Promise<ToolResult> {
    const { values: settings } = await this.getCallDeps().settings.load(manifest);
    const parameters = { ...defaultsOf(command.parameters), ...args };
    return callGatewayCommand(manifest, command.name, { args: parameters, settings, ctx });
  }

  /** Tools of MCP servers come and go at any time. */
  private watchDependencies(): void {
    const { clock, registry } = this.deps;
    this.stopPolling();
    if (!this.readings.some(({ program, manifest }) => program && manifest?.dependencies.length)) return;
    const seen = registry.version;
    const look = () => {
      if (registry.version !== seen) return this.register();
      this.stopPolling = clock.after(DEPENDENCY_POLL_MS, look);
    };
    this.stopPolling = clock.after(DEPENDENCY_POLL_MS, look);
  }

  private logNewWarnings(): void {
    const warnings = this.readings.flatMap(reading => reading.warnings);
    for (const warning of warnings.filter(text => !this.logged.has(text))) this.deps.onError('a tool manifest needs attention', warning);
    this.logged = new Set(warnings);
  }
}

/** Keeps the first of several files with the same name. */
function withoutDoubles(readings: readonly Reading[]): Reading[] {
  const owners = new Map<string, Reading>();
  for (const reading of readings) {
    const owner = owners.get(reading.name);
    if (!owner) owners.set(reading.name, reading);
    else {
      const problem = `${reading.file}:/name: ${owner.file} has the name ${reading.name} already`;
      owners.set(reading.name, { ...owner, warnings: [...owner.warnings, `${problem}.`] });
    }
  }
  return [...owners.values()];
}

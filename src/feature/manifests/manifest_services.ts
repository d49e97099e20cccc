/**
 * The processes of all service tools. Each tenant has a process of its own, because one process sees one workspace. The process of the default tenant
 * always runs; those of other tenants start with their first call and end when they have been idle for a while.
 */
import { DEFAULT_TENANT } from '../../port/principal';
import type { ToolResult } from '../../tools/common';
import { contentHash } from '../../utils/content_hash';
import type { CallInput } from './call_request';
import type { LoadedTool, ToolCallDeps } from './loaded_tool';
import { ServiceProcess } from './service_process';

interface TenantProcess {
  process: ServiceProcess;
  calls: number;
  stopTimer: () => void;
}

interface Kept {
  tool: LoadedTool;
  version: string;
  process: ServiceProcess;
  /** Processes by tenant, without the default one. */
  others: Map<string, TenantProcess>;
}

const IDLE_MS = 5 * 60_000;

export class ManifestServices {
  private readonly kept = new Map<string, Kept>();
  /** Services of versions that are no longer in use, until their calls have ended. */
  private readonly retired = new Set<ServiceProcess>();

  constructor(private readonly deps: ToolCallDeps) {}

  /** Starts services that are new or changed, and retires services that are not in the list. */
  keep(tools: readonly LoadedTool[]): void {
    const wanted = new Map(tools.map(tool => [tool.manifest.name, { tool, version: versionOf(tool) }]));
    for (const [name, service] of this.kept) {
      if (wanted.get(name)?.version === service.version) continue;
      this.kept.delete(name);
      for (const process of processesOf(service)) this.retire(process);
    }
    for (const [name, { tool, version }] of wanted) {
      if (this.kept.has(name)) continue;
      this.kept.set(name, { tool, version, process: this.startProcess(tool, DEFAULT_TENANT), others: new Map() });
    }
  }

  async call({ manifest }: LoadedTool, input: Omit<CallInput, 'manifest'>): Promise<ToolResult> {
    const service = this.kept.get(manifest.name);
    if (!service) throw new Error(`the service ${manifest.name} was removed`);
    const { tenantId } = input.ctx;
    return tenantId === DEFAULT_TENANT ? service.process.call(input) : this.callOf(service, tenantId, input);
  }

  /** Problems of the default tenant's processes: those of others start only with a call, which then says what is wrong. */
  warnings(): string[] {
    return [...this.kept].flatMap(([name, { process }]) =>
      process.problem === undefined ? [] : [`The service ${name}: ${process.problem}.`],
    );
  }

  async stop(): Promise<void> {
    const all = [...this.retired, ...[...this.kept.values()].flatMap(processesOf)];
    await Promise.all(all.map(process => process.stop()));
  }

  private async callOf(service: Kept, tenantId: string, input: Omit<CallInput, 'manifest'>): Promise<ToolResult> {
    const { others, tool } = service;
    const own = others.get(tenantId) ?? { process: this.startProcess(tool, tenantId), calls: 0, stopTimer: () => {} };
    others.set(tenantId, own);
    own.stopTimer();
    own.calls += 1;
    try {
      return await own.process.call(input);
    } finally {
      own.calls -= 1;
      if (own.calls === 0) own.stopTimer = this.deps.clock.after(IDLE_MS, () => this.endIdle(service, tenantId, own));
    }
  }

  private endIdle({ others }: Kept, tenantId: string, own: TenantProcess): void {
    if (others.get(tenantId) !== own || !others.delete(tenantId)) return;
    this.retire(own.process);
  }

  private startProcess(tool: LoadedTool, tenantId: string): ServiceProcess {
    const process = new ServiceProcess(tool, this.deps, this.deps.workspaces.workspaceOf(tenantId).workspace.root);
    process.start();
    return process;
  }

  private retire(process: ServiceProcess): void {
    this.retired.add(process);
    void process.retire().finally(() => this.retired.delete(process));
  }
}

function processesOf({ process, others }: Kept): ServiceProcess[] {
  const ofTenants = [...others.values()];
  for (const { stopTimer } of ofTenants) stopTimer();
  return [process, ...ofTenants.map(other => other.process)];
}

const versionOf = ({ manifest, program }: LoadedTool): string => contentHash(JSON.stringify([manifest, program]));

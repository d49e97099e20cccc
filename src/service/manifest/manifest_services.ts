/** The processes of all tools of the type service. */
import type { ToolResult } from '../../tools/common';
import { contentHash } from '../../utils/content_hash';
import type { CallInput } from './call_request';
import type { LoadedTool, ToolCallDeps } from './loaded_tool';
import { ServiceProcess } from './service_process';

interface Kept {
  version: string;
  process: ServiceProcess;
}

export class ManifestServices {
  private readonly kept = new Map<string, Kept>();
  /** Services of versions that are no longer in use, until their calls have ended. */
  private readonly retired = new Set<ServiceProcess>();

  constructor(private readonly deps: ToolCallDeps) {}

  /** Starts the services that are new or have changed, and retires those that are not in the list. */
  keep(tools: readonly LoadedTool[]): void {
    const wanted = new Map(tools.map(tool => [tool.manifest.name, { tool, version: versionOf(tool) }]));
    for (const [name, { version, process }] of this.kept) {
      if (wanted.get(name)?.version === version) continue;
      this.kept.delete(name);
      this.retire(process);
    }
    for (const [name, { tool, version }] of wanted) {
      if (this.kept.has(name)) continue;
      const process = new ServiceProcess(tool, this.deps);
      this.kept.set(name, { version, process });
      process.start();
    }
  }

  call({ manifest }: LoadedTool, input: Omit<CallInput, 'manifest'>): Promise<ToolResult> {
    const service = this.kept.get(manifest.name)?.process;
    return service ? service.call(input) : Promise.reject(new Error(`the service ${manifest.name} was removed`));
  }

  warnings(): string[] {
    return [...this.kept].flatMap(([name, { process }]) =>
      process.problem === undefined ? [] : [`The service ${name}: ${process.problem}.`],
    );
  }

  async stop(): Promise<void> {
    const all = [...this.retired, ...[...this.kept.values()].map(({ process }) => process)];
    await Promise.all(all.map(process => process.stop()));
  }

  private retire(process: ServiceProcess): void {
    this.retired.add(process);
    void process.retire().finally(() => this.retired.delete(process));
  }
}

const versionOf = ({ manifest, program }: LoadedTool): string => contentHash(JSON.stringify([manifest, program]));

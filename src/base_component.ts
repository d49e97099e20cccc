/** The component below the features: what is ready before the first of them starts, and closes after the last of them has stopped. */
import { Configuration, type ILifeCycle, type IMidwayContainer, Inject } from '@midwayjs/core';
import { InjectService } from './inject_service';
import type { InjectionCheck } from './injection_check';
import type { Ports } from './ports';
import type { ToolService } from './service/tool/tool_service';
import type { StopSteps } from './stop';
import { TOOL_CLASSES } from './tool_classes';
import { toolsOf } from './tools/agent_tool_decorator';

/** Closes the ports, one after the other. The store is last, because the others may still write. */
const CLOSE: Readonly<Record<string, (ports: Ports) => void | Promise<void>>> = {
  skillFiles: ports => ports.skillFiles.close(),
  patchEngine: ports => ports.patchEngine.close(),
  web: ports => ports.web.close(),
  workspaces: ports => ports.workspaces.close(),
  cpuTasks: ports => ports.cpuTasks.close(),
  tokenCounter: ports => ports.tokenCounter.close(),
  eventLoopMonitor: ports => ports.eventLoopMonitor.stop(),
  traces: ports => ports.traces?.close(),
  nodeBus: ports => ports.nodeBus.close(),
  store: ports => ports.store.close(),
};

@Configuration({ namespace: 'base' })
export class BaseComponent implements ILifeCycle {
  @InjectService()
  toolService!: ToolService;
  @Inject()
  injectionCheck!: InjectionCheck;
  @Inject()
  ports!: Ports;
  @Inject()
  stopSteps!: StopSteps;

  async onReady(container: IMidwayContainer): Promise<void> {
    this.injectionCheck.assertInjectable();
    for (const toolClass of TOOL_CLASSES) {
      container.bind(toolClass);
      this.toolService.addTools(toolsOf(await container.getAsync(toolClass)));
    }
  }

  /** The framework stops components in the opposite order of their start, so this component stops last. */
  async onStop(): Promise<void> {
    for (const [name, close] of Object.entries(CLOSE)) await this.stopSteps.run(name, () => close(this.ports));
  }
}

/** The component below the features: what is ready before the first of them starts, and closes after the last of them has stopped. */
import { Configuration, type ILifeCycle, type IMidwayContainer, Inject } from '@midwayjs/core';
import { InjectService } from './inject_service';
import type { InjectionCheck } from './injection_check';
import type { Ports } from './ports';
import type { ToolService } from './service/tool/tool_service';
import { TOOL_CLASSES } from './tool_classes';
import { toolsOf } from './tools/agent_tool_decorator';

/** Closes the ports, one after the other. The store is last, because the others may still write. */
const CLOSE: readonly ((ports: Ports) => void | Promise<void>)[] = [
  ports => ports.skillFiles.close(),
  ports => ports.patchEngine.close(),
  ports => ports.web.close(),
  ports => ports.workspaces.close(),
  ports => ports.cpuTasks.close(),
  ports => ports.tokenCounter.close(),
  ports => ports.eventLoopMonitor.stop(),
  ports => ports.traces?.close(),
  ports => ports.nodeBus.close(),
  ports => ports.store.close(),
];

@Configuration({ namespace: 'base' })
export class BaseComponent implements ILifeCycle {
  @InjectService()
  toolService!: ToolService;
  @Inject()
  injectionCheck!: InjectionCheck;
  @Inject()
  ports!: Ports;

  async onReady(container: IMidwayContainer): Promise<void> {
    this.injectionCheck.assertInjectable();
    for (const toolClass of TOOL_CLASSES) {
      container.bind(toolClass);
      this.toolService.addTools(toolsOf(await container.getAsync(toolClass)));
    }
  }

  /** The framework stops components in the opposite order of their start, so this component stops last. */
  async onStop(): Promise<void> {
    for (const close of CLOSE) await close(this.ports);
  }
}

/** Inbound webhooks: addresses at which other services start runs. */
import type { Feature } from '../../feature';
import { HookCallLog } from './hook_call_log';
import { HookCalls, type HookServices } from './hook_calls';
import { HookService } from './hook_service';
import { HookCallsController, HooksController } from './routes';
import { hookStore } from './store/hook_store';
import { toWireHook } from './wire_hooks';

export const hooks: Feature = {
  name: 'hooks',
  routes: [HooksController, HookCallsController],
  doorPath: '/hooks',
  store: hookStore,
  install({ settings, ports: { store, clock, ids, logger }, auditLog, visibleAgents: agents, keyRing, rateLimits, agentExecutor }) {
    const { locale: defaultLocale } = settings;
    const callLog = new HookCallLog({ store, clock, ids, onError: logger.error });
    const clarifyTimeoutMs = settings.clarify.declaredTimeoutMs;
    return {
      services: {
        hookService: new HookService({ store, clock, ids, agents, auditLog, defaultLocale }),
        hookCalls: new HookCalls({ store, clock, auditLog, keyRing, rateLimits, agentExecutor, callLog, clarifyTimeoutMs }),
      } satisfies HookServices,
      async *exportData(read, tenantId) {
        for (const hook of await read.hooks.list(tenantId))
          yield {
            type: 'feature',
            name: 'hook',
            data: toWireHook(hook),
            by: hook.keyName,
            erase: tx => tx.hooks.delete(tenantId, hook.id),
          };
      },
    };
  },
};

/** Inbound webhooks: addresses at which other services start runs. */
import type { Feature } from '../../feature';
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
  install({ settings, ports: { store, clock, ids }, auditLog, agentDirectory: agents, keyRing, rateLimits, agentExecutor }) {
    const { locale: defaultLocale } = settings;
    const clarifyTimeoutMs = settings.clarify.declaredTimeoutMs;
    return {
      services: {
        hookService: new HookService({ store, clock, ids, agents, auditLog, defaultLocale }),
        hookCalls: new HookCalls({ store, clock, auditLog, keyRing, rateLimits, agentExecutor, clarifyTimeoutMs }),
      } satisfies HookServices,
      async *exportData(read, tenantId) {
        for (const hook of await read.hooks.list(tenantId)) yield { type: 'feature', name: 'hook', data: toWireHook(hook) };
      },
    };
  },
};

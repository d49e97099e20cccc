/** Inbound webhooks of a tenant: made, listed, changed, deleted. */
import { AppError } from '../../errors';
import type { Clock, IdSource } from '../../port/clock';
import type { Principal } from '../../port/principal';
import type { AuditAction } from '../../port/store/audit';
import type { Locale } from '../../port/store/sessions';
import type { Store, StoreTransaction } from '../../port/store/store';
import { authorAfter } from '../../service/access/author_after';
import type { VisibleAgents } from '../../service/agent/visible_agents';
import { type AuditRecorder, byActor } from '../../service/audit/audit_log';
import { OncePerKey } from '../../service/once_per_key';
import { definedFields } from '../../utils/defined_fields';
import { createWebhookSecret } from '../../utils/webhook_signature';
import { checkTemplate } from './hook_template';
import type { HookCallRecord, HookRecord } from './store/hook_records';

const MAX_HOOKS = 50;

export interface HookInput {
  name: string;
  template: string;
  agent?: string;
  session?: HookRecord['session'];
  enabled?: boolean;
  locale?: Locale;
}

export interface HookServiceDeps {
  store: Store;
  clock: Clock;
  ids: IdSource;
  agents: Pick<VisibleAgents, 'assertAgentExists'>;
  auditLog: AuditRecorder;
  defaultLocale: Locale;
}

export class HookService {
  constructor(private readonly deps: HookServiceDeps) {}

  /**
   * The runs of the hook count for the key of the caller. Rejects `not_found` for the agent, `invalid_request` for the template, `quota_exceeded` beyond
   * 50 hooks, and like OncePerKey; with the key of an earlier request it resolves with the hook of that request.
   */
  async createHook(actor: Principal, input: HookInput, once = new OncePerKey()): Promise<HookRecord> {
    const { store, clock, ids } = this.deps;
    const { tenantId, keyName } = actor;
    this.check(actor, input);
    const now = clock.now();
    const hook: HookRecord = {
      tenantId,
      id: ids.next('hook'),
      name: input.name,
      agent: input.agent ?? 'default',
      template: input.template,
      locale: input.locale ?? this.deps.defaultLocale,
      session: input.session ?? 'new',
      secret: createWebhookSecret(),
      enabled: input.enabled ?? true,
      keyName,
      createdAt: now,
      updatedAt: now,
    };
    await store.transaction({ tenant: tenantId, ...once.lockOf(tenantId) }, tx =>
      once.makeOnce(tx, { tenantId, now }, async () => {
        if ((await tx.hooks.list(tenantId)).length >= MAX_HOOKS) throw tooMany();
        await tx.hooks.insert(hook);
        await this.record(tx, actor, 'hook.create', hook);
        return hook.id;
      }),
    );
    return once.replayedId === undefined ? hook : this.getHook(tenantId, once.replayedId);
  }

  /** Rejects `not_found`. */
  async getHook(tenantId: string, id: string): Promise<HookRecord> {
    const hook = await this.deps.store.read.hooks.get(tenantId, id);
    if (!hook) throw noHook();
    return hook;
  }

  listHooks(tenantId: string): Promise<HookRecord[]> {
    return this.deps.store.lists.hooks.list(tenantId);
  }

  /** Lists the last requests to a hook, newest first. Rejects `not_found`. */
  async listCalls(tenantId: string, id: string): Promise<HookCallRecord[]> {
    await this.getHook(tenantId, id);
    return this.deps.store.lists.hooks.listCalls(tenantId, id);
  }

  /** Fields that are absent stay as they are. Another template or agent of a person makes the hook that person's. Rejects like `createHook`, and `not_found` for the hook. */
  async updateHook(actor: Principal, id: string, change: Partial<HookInput>): Promise<HookRecord> {
    this.check(actor, change);
    const { store, clock } = this.deps;
    const { tenantId } = actor;
    return store.transaction({ tenant: tenantId }, async tx => {
      const old = await tx.hooks.get(tenantId, id);
      if (!old) throw noHook();
      const keyName = change.template === undefined && change.agent === undefined ? old.keyName : authorAfter(old.keyName, actor.keyName);
      const hook = { ...old, ...definedFields(change), keyName, updatedAt: clock.now() };
      if (!(await tx.hooks.update(hook))) throw noHook();
      await this.record(tx, actor, 'hook.update', { ...hook, fields: Object.keys(change) });
      return hook;
    });
  }

  /** Its sessions and runs stay. Rejects `not_found`. */
  async deleteHook(actor: Principal, id: string): Promise<void> {
    await this.deps.store.transaction({ tenant: actor.tenantId }, async tx => {
      const hook = await tx.hooks.get(actor.tenantId, id);
      if (!hook || !(await tx.hooks.delete(actor.tenantId, id))) throw noHook();
      await this.record(tx, actor, 'hook.delete', hook);
    });
  }

  private check(actor: Principal, { agent, template }: Partial<HookInput>): void {
    if (agent !== undefined) this.deps.agents.assertAgentExists(agent, actor);
    if (template !== undefined) checkTemplate(template);
  }

  private record(tx: StoreTransaction, actor: Principal, action: AuditAction, hook: HookRecord & { fields?: readonly string[] }) {
    const { id, name, agent, fields } = hook;
    return this.deps.auditLog.record({ ...byActor(actor), action, target: id, details: { name, agent, fields } }, tx);
  }
}

export const noHook = (): AppError => new AppError('not_found', { message: 'There is no such hook.', messageZh: '没有这个钩子。' });

const tooMany = (): AppError =>
  new AppError('quota_exceeded', {
    message: `There are ${MAX_HOOKS} hooks already: delete one first.`,
    messageZh: `已有 ${MAX_HOOKS} 个钩子：请先删除一个。`,
  });

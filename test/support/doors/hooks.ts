/** Inbound webhooks, signed with the reference library of Standard Webhooks: a door that only starts runs. */
import { callSigned, type MadeHook } from '../hook_client';
import { bearer } from '../key_bench';
import type { Door, DoorCaller, DoorClient, SendOptions, Turn } from './door';

export const HOOKS_DOOR: Door = {
  name: 'Inbound webhooks',
  guide: 'hooks.md',
  forms: {
    stream: 'elsewhere',
    resume: 'retry',
    question: ['elsewhere'],
    approval: 'elsewhere',
    cancel: 'elsewhere',
    error: 'error.code',
  },
  ends: { completed: 202, budget: 202, cancelled: 202 },
  errors: {
    failedRun: {},
    unknownAgent: { status: 404, code: 'not_found' },
    wrongKey: { status: 401, code: 'unauthenticated' },
    quota: { status: 429, code: 'quota_exceeded' },
    otherTenant: { status: 404, code: 'not_found' },
  },
  connect: async caller => new HookDoorClient(caller),
};

class HookDoorClient implements DoorClient {
  private readonly hooks = new Map<string, MadeHook>();

  constructor(private readonly caller: DoorCaller) {}

  async send(message: string, { agent = 'default' }: SendOptions = {}): Promise<Turn> {
    return this.call(await this.hookFor(agent), message);
  }

  /** The service sends its message again, with the same `webhook-id`. */
  comeBack({ message }: Turn): Promise<Turn> {
    return this.send(message);
  }

  attempts({ id }: Turn) {
    return [() => this.ask('GET', `/runs/${id}`), () => this.ask('POST', `/runs/${id}/cancel`, {})];
  }

  async close(): Promise<void> {}

  private async hookFor(agent: string): Promise<MadeHook> {
    const known = this.hooks.get(agent);
    if (known) return known;
    const hook = await this.ask<MadeHook>('POST', '/hooks', { name: 'door suite', template: '{{body.text}}', agent });
    this.hooks.set(agent, hook);
    return hook;
  }

  private async call(hook: MadeHook, message: string): Promise<Turn> {
    const { status, body } = await callSigned(hook, Buffer.from(message).toString('base64url'), JSON.stringify({ text: message }));
    if (body.error) throw { status, ...body.error };
    return { message, text: '', id: body.runId, conversation: body.sessionId, end: status };
  }

  private async ask<T>(method: string, path: string, sent?: object): Promise<T> {
    const { status, body } = await this.caller.rest.request<T & { error?: object }>(method, path, sent, bearer(this.caller.secret));
    if (body.error) throw { status, ...body.error };
    return body;
  }
}

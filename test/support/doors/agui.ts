/** AG-UI with the official client. */
import { HttpAgent } from '@ag-ui/client';
import type { BaseEvent } from '@ag-ui/core';
import { bearer } from '../key_bench';
import type { Door, DoorCaller, DoorClient, SendOptions, Turn } from './door';

export const AGUI_DOOR: Door = {
  name: 'AG-UI',
  guide: 'ag-ui.md',
  forms: {
    stream: 'text',
    resume: 'retry',
    question: ['asked', 'text'],
    approval: 'refused',
    cancel: 'leaving',
    budget: 'result.reason: budget',
    error: 'RUN_ERROR.code',
  },
  ends: { completed: { status: 'completed' }, budget: { status: 'incomplete', reason: 'budget' }, cancelled: { type: 'RUN_ERROR' } },
  errors: {
    failedRun: { type: 'RUN_ERROR', code: 'model_refused' },
    unknownAgent: { status: 404, payload: { error: { code: 'not_found', param: '/agent' } } },
    wrongKey: { status: 401, payload: { error: { code: 'unauthenticated' } } },
    quota: { status: 429, payload: { error: { code: 'quota_exceeded' } } },
    otherTenant: 'own',
  },
  connect: async caller => new AguiDoorClient(caller),
};

type Event = BaseEvent & Record<string, unknown>;

let made = 0;

class AguiDoorClient implements DoorClient {
  private readonly agents = new Map<string, HttpAgent>();

  constructor(private readonly caller: DoorCaller) {}

  async send(message: string, options: SendOptions = {}): Promise<Turn> {
    const agent = this.agentOf(options);
    agent.addMessage({ id: `user-${++made}`, role: 'user', content: message });
    for (const signal of [options.cancel, options.leave]) signal?.addEventListener('abort', () => agent.abortRun());
    return this.run(agent, { message, text: '', id: `run-${++made}`, conversation: agent.threadId }, options);
  }

  /** Sends the same request again. */
  comeBack(left: Turn): Promise<Turn> {
    const sent = this.agents.get(left.conversation)?.messages.filter(({ role }) => role === 'user') ?? [];
    this.agents.delete(left.conversation);
    const agent = this.agentOf({ conversation: left.conversation });
    agent.setMessages(sent);
    return this.run(agent, { ...left, text: '' }, {});
  }

  attempts({ conversation }: Turn) {
    return [() => this.send('let me in', { conversation })];
  }

  async close(): Promise<void> {}

  private agentOf({ conversation = `thread-${++made}`, agent = 'default' }: SendOptions): HttpAgent {
    const { url, secret } = this.caller;
    const known = this.agents.get(conversation);
    const opened = known ?? new HttpAgent({ url: `${url}/agui/${agent}`, headers: bearer(secret), threadId: conversation });
    this.agents.set(conversation, opened);
    return opened;
  }

  private async run(agent: HttpAgent, turn: Turn, options: SendOptions, more: Parameters<HttpAgent['runAgent']>[0] = {}): Promise<Turn> {
    const { onText, onQuestion, leave } = options;
    const forwardedProps = onQuestion ? { clarify: 'interrupt' } : {};
    let last: Event | undefined;
    const running = agent.runAgent(
      { runId: turn.id, forwardedProps, ...more },
      {
        onEvent: ({ event }) => {
          last = event as Event;
          if (last.type !== 'TEXT_MESSAGE_CONTENT' || leave?.aborted) return;
          turn.text += String(last['delta']);
          onText?.(turn.text);
        },
      },
    );
    // The client writes every error to the console, too.
    const silent = jest.spyOn(console, 'error').mockImplementation(() => {});
    const { result } = await running.finally(() => silent.mockRestore());
    if (leave?.aborted) return turn;
    if (last?.type === 'RUN_ERROR') throw last;
    const [interrupt] = agent.pendingInterrupts;
    if (!interrupt || !onQuestion) return { ...turn, end: result };
    const answer = onQuestion(interrupt.message ?? '');
    const resume = [{ interruptId: interrupt.id, status: 'resolved' as const, payload: { answer } }];
    return this.run(agent, { ...turn, id: `run-${++made}` }, options, { resume });
  }
}

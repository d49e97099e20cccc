/** Turns the events of a run into the updates that an editor shows. */
import type { PlanEntry, SessionUpdate, ToolCall, ToolCallStatus } from '@agentclientprotocol/sdk';
import type { RunEvent } from '../../../clients/typescript/src/types';
import { diffsOf, kindOf, locationsOf, type ShownCall, textContent, titleOf } from './tool_view';

type Data<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>['data'];

/** Characters of the live output of a call that are shown; the result replaces them. */
const MAX_OUTPUT = 4_000;

export class RunUpdates {
  /** The calls that the editor knows, with the end of their live output. */
  private readonly calls = new Map<string, string>();
  private message = 1;
  private hasText = false;

  constructor(
    private readonly runId: string,
    /** Folder of the workspace. */
    private readonly root: string,
  ) {}

  /** Returns the updates for one event, in order. */
  project(event: RunEvent): SessionUpdate[] {
    // The gateway lost text that was shown; it follows again as a new message.
    if ((event.type as string) === 'replay_reset') return this.endMessage();
    switch (event.type) {
      case 'text_delta':
        this.hasText = true;
        return [this.chunk('agent_message_chunk', event.data.text)];
      case 'reasoning_delta':
        return [this.chunk('agent_thought_chunk', event.data.text)];
      case 'message_end':
        return this.readMessage(event.data);
      case 'approval_request':
        return this.announce(
          { toolCallId: event.data.toolCallId, name: event.data.tool, label: event.data.label, args: event.data.args },
          'pending',
        );
      case 'tool_call_start':
        return this.startCall(event.data);
      case 'tool_call_delta':
        return this.addOutput(event.data);
      case 'tool_call_end':
        return this.endCall(event.data);
      case 'todo_update':
        return [{ sessionUpdate: 'plan', entries: event.data.todos.flatMap(toPlanEntry) }];
      default:
        return [];
    }
  }

  private readMessage({ role, content }: Data<'message_end'>): SessionUpdate[] {
    const type = role === 'user' ? 'user_message_chunk' : 'agent_message_chunk';
    const isMissing = content !== '' && (role === 'user' || !this.hasText);
    const updates = isMissing ? [this.chunk(type, content)] : [];
    this.endMessage();
    return updates;
  }

  private endMessage(): SessionUpdate[] {
    this.message += 1;
    this.hasText = false;
    return [];
  }

  private chunk(sessionUpdate: 'agent_message_chunk' | 'agent_thought_chunk' | 'user_message_chunk', text: string): SessionUpdate {
    return { sessionUpdate, content: { type: 'text', text }, messageId: `${this.runId}:${this.message}` };
  }

  /** Tells the editor of a call that it does not know yet. */
  private announce(call: ShownCall & { toolCallId: string }, status: ToolCallStatus): SessionUpdate[] {
    if (this.calls.has(call.toolCallId)) return [];
    this.calls.set(call.toolCallId, '');
    return [{ sessionUpdate: 'tool_call', ...toToolCall(call, this.root), status }];
  }

  private startCall(call: Data<'tool_call_start'>): SessionUpdate[] {
    const announced = this.announce(call, 'in_progress');
    return announced.length > 0 ? announced : [{ sessionUpdate: 'tool_call_update', toolCallId: call.toolCallId, status: 'in_progress' }];
  }

  private addOutput({ toolCallId, output }: Data<'tool_call_delta'>): SessionUpdate[] {
    const shown = `${this.calls.get(toolCallId) ?? ''}${output}`.slice(-MAX_OUTPUT);
    this.calls.set(toolCallId, shown);
    return [{ sessionUpdate: 'tool_call_update', toolCallId, content: [textContent(shown)] }];
  }

  private endCall({ toolCallId, name, label, ok, result, details }: Data<'tool_call_end'>): SessionUpdate[] {
    const announced = this.announce({ toolCallId, name, label, args: {} }, 'in_progress');
    const diff = details?.['diff'];
    const diffs = ok && typeof diff === 'string' ? diffsOf(diff, this.root) : [];
    const content = diffs.length > 0 ? diffs : [textContent(result)];
    const status = ok ? 'completed' : 'failed';
    return [...announced, { sessionUpdate: 'tool_call_update', toolCallId, status, content, rawOutput: details ?? result }];
  }
}

/** Returns a call as the editor first sees it. */
export function toToolCall({ toolCallId, ...call }: ShownCall & { toolCallId: string }, root: string): ToolCall {
  return { toolCallId, title: titleOf(call), kind: kindOf(call.name), locations: locationsOf(call, root), rawInput: call.args };
}

/** A cancelled step is left out: a plan of an editor has no such state. */
function toPlanEntry({ content, status }: Data<'todo_update'>['todos'][number]): PlanEntry[] {
  return status === 'cancelled' ? [] : [{ content, status, priority: 'medium' }];
}

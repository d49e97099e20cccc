/** The messages, reasoning and steps of a projection: what is open, and what closes it. Every opened part is closed before the next one. */
import type { AguiEvent } from './agui_event';

export class AguiMessages {
  private readonly pending: AguiEvent[] = [];
  private messages = 0;
  private attempts = 0;
  private openText: string | undefined;
  private openReasoning: string | undefined;
  private openStep: string | undefined;
  /** The message of the answer of this attempt, to which its tool calls belong. */
  private answer: string | undefined;
  private isAnswered = false;
  private saysText = false;

  /** `runId`: makes the ids of messages unique in the thread. */
  constructor(private readonly runId: string) {}

  /** True once the agent has said something. */
  get hasText(): boolean {
    return this.saysText;
  }

  /** Returns the events that were made since the last call. */
  take(): AguiEvent[] {
    return this.pending.splice(0);
  }

  add(event: AguiEvent): void {
    this.pending.push(event);
  }

  addText(delta: string): void {
    if (delta === '') return;
    this.closeReasoning();
    this.beginAttempt();
    if (this.openText === undefined) {
      this.openText = this.nextId();
      this.answer = this.openText;
      this.add({ type: 'TEXT_MESSAGE_START', messageId: this.openText, role: 'assistant' });
    }
    this.saysText = true;
    this.add({ type: 'TEXT_MESSAGE_CONTENT', messageId: this.openText, delta });
  }

  addReasoning(delta: string): void {
    if (delta === '') return;
    this.closeText();
    this.beginAttempt();
    if (this.openReasoning === undefined) {
      const messageId = this.nextId();
      this.openReasoning = messageId;
      this.add({ type: 'REASONING_START', messageId });
      this.add({ type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' });
    }
    this.add({ type: 'REASONING_MESSAGE_CONTENT', messageId: this.openReasoning, delta });
  }

  /** Adds a message that a person sent into the run. */
  addUserMessage(text: string): void {
    if (text === '') return;
    this.closeMessages();
    const messageId = this.nextId();
    this.add({ type: 'TEXT_MESSAGE_START', messageId, role: 'user' });
    this.add({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta: text });
    this.add({ type: 'TEXT_MESSAGE_END', messageId });
  }

  /** The answer of the attempt is complete: tool calls may follow, and text begins the next attempt. */
  endAnswer(): void {
    this.beginAttempt();
    this.closeMessages();
    this.isAnswered = true;
  }

  addCall({ toolCallId, name, args }: { toolCallId: string; name: string; args: string }): void {
    this.closeMessages();
    this.answer ??= this.nextId();
    this.add({ type: 'TOOL_CALL_START', toolCallId, toolCallName: name, parentMessageId: this.answer });
    if (args !== '') this.add({ type: 'TOOL_CALL_ARGS', toolCallId, delta: args });
    this.add({ type: 'TOOL_CALL_END', toolCallId });
  }

  addResult(toolCallId: string, content: string): void {
    this.add({ type: 'TOOL_CALL_RESULT', messageId: this.nextId(), toolCallId, content, role: 'tool' });
  }

  closeMessages(): void {
    this.closeReasoning();
    this.closeText();
  }

  closeStep(): void {
    if (this.openStep !== undefined) this.add({ type: 'STEP_FINISHED', stepName: this.openStep });
    this.openStep = undefined;
  }

  private beginAttempt(): void {
    if (this.openStep !== undefined && !this.isAnswered) return;
    this.closeStep();
    this.attempts += 1;
    this.isAnswered = false;
    this.answer = undefined;
    this.openStep = `attempt ${this.attempts}`;
    this.add({ type: 'STEP_STARTED', stepName: this.openStep });
  }

  private closeReasoning(): void {
    const messageId = this.openReasoning;
    if (messageId === undefined) return;
    this.openReasoning = undefined;
    this.add({ type: 'REASONING_MESSAGE_END', messageId });
    this.add({ type: 'REASONING_END', messageId });
  }

  private closeText(): void {
    const messageId = this.openText;
    if (messageId === undefined) return;
    this.openText = undefined;
    this.add({ type: 'TEXT_MESSAGE_END', messageId });
  }

  private nextId(): string {
    this.messages += 1;
    return `msg_${this.runId}_${this.messages}`;
  }
}

/** Creates the events of a run as the gateway sends them: numbered and in order. */
import type { RunEvent, RunEventBody, RunEventData, TerminalStatus } from '../../../src/port/run_event';

export interface EventWriter {
  next(body: RunEventBody): RunEvent;
  all(...bodies: RunEventBody[]): RunEvent[];
}

export function writeRun(runId: string, sessionId = 'ses_1'): EventWriter {
  let seq = 0;
  const next = (body: RunEventBody): RunEvent => ({ v: 1, sessionId, runId, seq: ++seq, ts: '2026-01-02T03:04:05.678Z', ...body });
  return { next, all: (...bodies) => bodies.map(next) };
}

export const start = (input: string): RunEventBody => ({
  type: 'run_start',
  data: { door: 'socketio', agent: 'default', model: 'test', tools: ['bash'], input },
});
export const text = (piece: string): RunEventBody => ({ type: 'text_delta', data: { text: piece } });
export const reasoning = (piece: string): RunEventBody => ({ type: 'reasoning_delta', data: { text: piece } });
export const message = (content: string): RunEventBody => ({ type: 'message_end', data: { role: 'assistant', content } });
export const toolStart = (toolCallId: string, args: unknown = {}): RunEventBody => ({
  type: 'tool_call_start',
  data: { toolCallId, name: 'bash', label: 'Run command', args },
});
export const toolOutput = (toolCallId: string, output: string): RunEventBody => ({
  type: 'tool_call_delta',
  data: { toolCallId, name: 'bash', output },
});
export const toolEnd = (toolCallId: string, result = 'fine', ok = true): RunEventBody => ({
  type: 'tool_call_end',
  data: { toolCallId, name: 'bash', label: 'Run command', ok, result, durationMs: 12 },
});
export const question = (requestId: string): RunEventBody => ({
  type: 'clarify_request',
  data: { requestId, question: 'Which one?', choices: ['a', 'b'], expiresAt: '2026-01-02T03:09:05.678Z' },
});
export const questionEnd = (requestId: string, answer: string): RunEventBody => ({
  type: 'clarify_end',
  data: { requestId, status: 'answered', answer },
});
export const end = (status: 'completed' | 'failed' | 'cancelled' = 'completed', finalText = ''): RunEventBody => ({
  type: 'run_end',
  data: { status, text: finalText, usage: { inputTokens: 3, outputTokens: 4 } },
});
export const approval = (requestId: string, childRunId?: string): RunEventBody => ({
  type: 'approval_request',
  data: {
    requestId,
    toolCallId: 'c1',
    tool: 'bash',
    label: 'Run command',
    args: { command: 'ls' },
    reason: 'A rule asks.',
    sessionScope: 'exact',
    expiresAt: '2026-01-02T03:09:05.678Z',
    ...(childRunId !== undefined && { childRunId, childSessionId: `ses_${childRunId}` }),
  },
});
export const approvalEnd = (requestId: string): RunEventBody => ({
  type: 'approval_end',
  data: { requestId, status: 'answered', decision: 'allow_once' },
});
export const delegateStart = (childRunId: string, toolCallId = 'c1'): RunEventBody => ({
  type: 'delegate_start',
  data: { childRunId, childSessionId: `ses_${childRunId}`, member: 'researcher', task: 'Find it.', toolCallId },
});
export const delegateEnd = (
  childRunId: string,
  status: TerminalStatus,
  more: Partial<RunEventData<'delegate_end'>> = {},
): RunEventBody => ({
  type: 'delegate_end',
  data: {
    childRunId,
    member: 'researcher',
    toolCallId: 'c1',
    status,
    summary: 'Found it.',
    usage: { inputTokens: 10, outputTokens: 5 },
    durationMs: 1_200,
    ...more,
  },
});

/** Texts of the progress that MCP clients hear of. */
import { ProgressReporter, progressText } from '../../../src/feature/mcp_door/run_progress';
import type { RunEvent } from '../../../src/port/run_event';

it('names steps in the language of the client, and never a text of the model', () => {
  const event = (body: object) => ({ v: 1, sessionId: 's', runId: 'r', seq: 1, ts: '', ...body }) as RunEvent;
  const plan = event({ type: 'todo_update', data: { todos: [], summary: { total: 3, completed: 1 } } });
  expect([progressText(plan, 'en'), progressText(plan, 'zh-CN')]).toEqual(['Plan: 1 of 3 done', '计划：3 项中已完成 1 项']);
  for (const type of ['text_delta', 'reasoning_delta', 'message_end', 'tool_call_delta'])
    expect(progressText(event({ type, data: { text: 'thoughts', content: 'words', output: 'lines' } }), 'en')).toBeUndefined();
});

it('sends one line without control characters, whatever a task says', () => {
  const sent: unknown[] = [];
  const sendNotification = async (notification: { params?: unknown }) => void sent.push(notification.params);
  const reporter = new ProgressReporter({ _meta: { progressToken: 'p' }, sendNotification }, 'en');
  const data = { member: 'scout', task: `look\n\u001b[2Jaround\u202e${'x'.repeat(500)}` };
  reporter.reportEvent({ v: 1, sessionId: 's', runId: 'r', seq: 1, ts: '', type: 'delegate_start', data } as RunEvent);
  reporter.stop();
  expect(sent).toEqual([{ progressToken: 'p', progress: 1, message: expect.stringMatching(/^scout: look \[2Jaroundx+$/) }]);
});

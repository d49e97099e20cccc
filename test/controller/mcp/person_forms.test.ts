/** Forms of MCP elicitation for questions and approvals, in both languages. */
import { readAnswer, readDecision, toApprovalForm, toQuestionForm } from '../../../src/controller/mcp/person_forms';
import type { ApprovalData } from '../../../src/port/run_event';

const approval: ApprovalData = {
  requestId: 'r1',
  toolCallId: 'c1',
  tool: 'bash',
  label: 'Run a command',
  args: { command: 'rm -rf build' },
  reason: 'It deletes files.',
  sessionScope: 'rule',
  expiresAt: '2026-01-01T00:00:00.000Z',
};
const decisionsOf = (form: ReturnType<typeof toApprovalForm>) => form.requestedSchema.properties['decision'];

it('offers a decision for the session only where it covers more than the one call', () => {
  expect(decisionsOf(toApprovalForm(approval, 'en'))).toMatchObject({
    enum: ['allow_once', 'allow_session', 'deny'],
    enumNames: ['Allow once', 'Allow for this session', 'Deny'],
  });
  expect(decisionsOf(toApprovalForm({ ...approval, sessionScope: 'none' }, 'zh-CN'))).toMatchObject({
    enum: ['allow_once', 'deny'],
    enumNames: ['允许这一次', '拒绝'],
  });
});

it('shows reason, tool and arguments of an approval, very long ones truncated', () => {
  expect(toApprovalForm(approval, 'en').message).toBe('It deletes files.\n\nRun a command (bash)\n{\n "command": "rm -rf build"\n}');
  const long = toApprovalForm({ ...approval, args: { command: 'x'.repeat(10_000) } }, 'en').message;
  expect(long.length).toBeLessThan(4_300);
  expect(long).toContain('characters left out');
});

it.each([
  [{ action: 'accept', content: { decision: 'allow_session' } } as const, 'allow_session'],
  [{ action: 'accept', content: { decision: 'yes' } } as const, 'deny'],
  [{ action: 'accept' } as const, 'deny'],
  [{ action: 'decline' } as const, 'deny'],
])('reads %j as %s', (result, decision) => {
  expect(readDecision(result)).toEqual({ decision });
});

it('asks for free text where a question has no choices', () => {
  const { requestedSchema } = toQuestionForm({ requestId: 'r1', question: 'Which?', expiresAt: '' }, 'zh-CN');
  expect(requestedSchema.properties['answer']).toEqual({ type: 'string', title: '回答', minLength: 1, maxLength: 20_000 });
  expect(readAnswer({ action: 'accept', content: { answer: 'both' } })).toBe('both');
  expect(readAnswer({ action: 'accept', content: { answer: '  ' } })).toBeUndefined();
});

it('shows what would hide in an approval, and removes it from a question', () => {
  const { message } = toApprovalForm({ ...approval, args: { command: 'ls \u202e#' }, label: 'Run\u001b[2J' }, 'en');
  expect(message).toContain('ls <U+202E>#');
  expect(message).toContain('Run[2J (bash)');
  const question = { requestId: 'q', question: 'Sure\u001b[2J?\nReally?', expiresAt: '' };
  expect(toQuestionForm(question, 'en').message).toBe('Sure[2J?\nReally?');
});

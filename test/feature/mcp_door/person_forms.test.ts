/** Forms of MCP elicitation for questions and approvals, in both languages. */
import { readAnswer, toApprovalForm, toQuestionForm } from '../../../src/feature/mcp_door/person_forms';
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
const decisionsOf = (form: ReturnType<typeof toApprovalForm>) => form.params.requestedSchema.properties['decision'];

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

it('shows reason, tool and arguments of an approval', () => {
  expect(toApprovalForm(approval, 'en').params.message).toBe('It deletes files.\n\nRun a command (bash)\n{\n "command": "rm -rf build"\n}');
});

describe('arguments that the form cannot show in full', () => {
  const long = { ...approval, args: { command: 'x'.repeat(10_000) } };

  it('cannot be allowed there, and the form says where they can', () => {
    const form = toApprovalForm(long, 'en');
    expect(form.params.message.length).toBeLessThan(4_700);
    expect(form.params.message).toContain('characters left out');
    expect(form.params.message).toContain('POST /api/v1/approvals/r1');
    expect(toApprovalForm(long, 'zh-CN').params.message).toContain('不能在这里允许');
    expect(decisionsOf(form)).toMatchObject({ enum: ['deny'], enumNames: ['Deny'] });
    expect(form.readDecision({ action: 'accept', content: { decision: 'allow_once' } })).toEqual({ decision: 'deny' });
  });

  it('stay undecided when the form is closed, and are denied when it is declined', () => {
    expect(toApprovalForm(long, 'en').readDecision({ action: 'cancel' })).toBeUndefined();
    expect(toApprovalForm(long, 'en').readDecision({ action: 'decline' })).toEqual({ decision: 'deny' });
  });
});

it.each([
  [{ action: 'accept', content: { decision: 'allow_session' } } as const, 'allow_session'],
  [{ action: 'cancel' } as const, 'deny'],
  [{ action: 'accept', content: { decision: 'yes' } } as const, 'deny'],
  [{ action: 'accept' } as const, 'deny'],
  [{ action: 'decline' } as const, 'deny'],
])('reads %j as %s', (result, decision) => {
  expect(toApprovalForm(approval, 'en').readDecision(result)).toEqual({ decision });
});

it('asks for free text where a question has no choices', () => {
  const { requestedSchema } = toQuestionForm({ requestId: 'r1', question: 'Which?', expiresAt: '' }, 'zh-CN');
  expect(requestedSchema.properties['answer']).toEqual({ type: 'string', title: '回答', minLength: 1, maxLength: 20_000 });
  expect(readAnswer({ action: 'accept', content: { answer: 'both' } })).toBe('both');
  expect(readAnswer({ action: 'accept', content: { answer: '  ' } })).toBeUndefined();
});

it('shows what would hide in an approval, and removes it from a question', () => {
  const { message } = toApprovalForm({ ...approval, args: { command: 'ls \u202e#' }, label: 'Run\u001b[2J' }, 'en').params;
  expect(message).toContain('ls <U+202E>#');
  expect(message).toContain('Run[2J (bash)');
  const question = { requestId: 'q', question: 'Sure\u001b[2J?\nReally?', expiresAt: '' };
  expect(toQuestionForm(question, 'en').message).toBe('Sure[2J?\nReally?');
});

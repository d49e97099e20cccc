import { summarizeCall } from '../../../../web/src/components/calls/tool_summary';

const progress = (done: number, total: number) => `${done} of ${total} done`;
const todo = (content: string, status: string) => ({ id: content, content, status });

describe('the summary of a tool call', () => {
  it('is the argument that says most', () => {
    expect(summarizeCall({ args: { mode: 'replace', path: 'a.txt' } }, progress)).toBe('a.txt');
    expect(summarizeCall({ args: { command: 'npm  test\n' } }, progress)).toBe('npm test');
    expect(summarizeCall({ args: undefined }, progress)).toBe('');
  });

  it('is the step in progress of a plan, else the next step', () => {
    const steps = [todo('read', 'completed'), todo('write', 'pending'), todo('check', 'in_progress')];
    expect(summarizeCall({ args: { todos: steps } }, progress)).toBe('check');
    expect(summarizeCall({ args: { todos: steps.slice(0, 2) } }, progress)).toBe('write');
  });

  it('is the progress of a finished plan, not its first step', () => {
    const steps = [todo('read', 'completed'), todo('drop', 'cancelled'), todo('write', 'completed')];
    expect(summarizeCall({ args: { todos: steps } }, progress)).toBe('2 of 2 done');
  });

  it('takes the whole plan from the result when the call changed a part of it', () => {
    const args = { merge: true, todos: [{ id: 'write', status: 'completed' }] };
    expect(summarizeCall({ args, details: { todos: [todo('read', 'pending'), todo('write', 'completed')] } }, progress)).toBe('read');
    expect(summarizeCall({ args }, progress)).toBe('');
  });
});

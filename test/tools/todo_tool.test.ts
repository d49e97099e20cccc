import { TodoStore } from '../../src/runtime/todo_store';
import { todoTool } from '../../src/tools/todo_tool';
import { openToolBench, type ToolBench } from '../support/tool_context';

const item = (id: string, status = 'pending') => ({ id, content: `step ${id}`, status });

describe('todo', () => {
  let bench: ToolBench;
  let todos: TodoStore;
  const call = (args: unknown) => bench.call(todoTool, args, { todos });
  const ids = () => todos.read().map(entry => entry.id);

  beforeAll(async () => {
    bench = await openToolBench();
  });
  beforeEach(() => {
    todos = new TodoStore([]);
  });
  afterAll(() => bench.close());

  it('neta.todo reads the plan without arguments and changes nothing', async () => {
    const result = await call({});
    expect(result.ok).toBe(true);
    expect(JSON.parse(result.content)).toEqual({ todos: [], summary: expect.objectContaining({ total: 0 }) });
  });

  it('neta.todo replaces the plan in the given order and returns all of it', async () => {
    await call({ todos: [item('a')] });
    const result = await call({ todos: [item('c', 'in_progress'), item('b')] });
    expect(result.details).toEqual(JSON.parse(result.content));
    expect(result.details).toMatchObject({
      todos: [item('c', 'in_progress'), item('b')],
      summary: { total: 2, in_progress: 1, pending: 1 },
    });
  });

  it('neta.todo merges by id: known ones stay in place, new ones come last', async () => {
    await call({ todos: [item('a', 'in_progress'), item('b')] });
    await call({ todos: [item('c'), item('a', 'completed')], merge: true });
    expect(todos.read()).toEqual([item('a', 'completed'), item('b'), item('c')]);
  });

  it('clears the plan with an empty list', async () => {
    await call({ todos: [item('a')] });
    expect((await call({ todos: [] })).ok).toBe(true);
    expect(ids()).toEqual([]);
  });

  it('neta.todo refuses a second in_progress, says so and keeps the plan', async () => {
    await call({ todos: [item('a', 'in_progress')] });
    const result = await call({ todos: [item('b', 'in_progress')], merge: true });
    expect(result).toMatchObject({ ok: false, content: expect.stringContaining('in_progress') });
    expect(todos.read()).toEqual([item('a', 'in_progress')]);
  });

  it('keeps at most 50 items, also when they come by merging', async () => {
    await call({ todos: Array.from({ length: 50 }, (_, i) => item(`i${i}`)) });
    expect(await call({ todos: [item('one_more')], merge: true })).toMatchObject({ ok: false, content: expect.stringContaining('51') });
    expect((await call({ todos: [item('i3', 'completed')], merge: true })).ok).toBe(true);
    await expect(call({ todos: Array.from({ length: 51 }, (_, i) => item(`i${i}`)) })).rejects.toThrow('todos');
  });
});

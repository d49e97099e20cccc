import fc from 'fast-check';
import type { TodoItem } from '../../src/port/run_event';
import { TodoStore } from '../../src/runtime/todo_store';

const item = (id: string, status: TodoItem['status'] = 'pending', content = `do ${id}`): TodoItem => ({ id, content, status });
const ids = (store: TodoStore) => store.read().map(({ id }) => id);

describe('the plan of a session (neta.todo)', () => {
  it('is replaced as a whole, in the given order', () => {
    const store = new TodoStore([item('old')]);
    store.write([item('b'), item('a')], false);
    expect(ids(store)).toEqual(['b', 'a']);
  });

  it('is merged by id: known items are updated in place, new items are appended', () => {
    const store = new TodoStore([item('a'), item('b'), item('c')]);
    store.write([item('d'), item('b', 'completed', 'done b')], true);
    expect(store.read()).toEqual([item('a'), item('b', 'completed', 'done b'), item('c'), item('d')]);
  });

  it('refuses a write with two items in progress, names them and changes nothing', () => {
    const onChange = jest.fn();
    const store = new TodoStore([item('a', 'in_progress')], onChange);
    expect(() => store.write([item('b', 'in_progress')], true)).toThrow('Only one item may be in_progress, not 2: a, b.');
    expect(store.read()).toEqual([item('a', 'in_progress')]);
    expect(onChange).not.toHaveBeenCalled();
    store.write([item('a', 'completed'), item('b', 'in_progress')], true);
    expect(onChange).toHaveBeenCalledWith(store.read(), { total: 2, pending: 0, in_progress: 1, completed: 1, cancelled: 0 });
  });

  it('is not changed through the arrays that were read or written', () => {
    const initial = [item('a')];
    const store = new TodoStore(initial);
    store.read().push(item('x'));
    initial.push(item('y'));
    expect(ids(store)).toEqual(['a']);
  });

  it('has each id once, in the order of first mention, and counts the items by status', () => {
    const anyItem = fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd'),
      content: fc.string({ minLength: 1, maxLength: 5 }),
      status: fc.constantFrom<TodoItem['status'][]>('pending', 'completed', 'cancelled'),
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.array(anyItem, { maxLength: 6 }), fc.boolean()), { maxLength: 6 }), writes => {
        const store = new TodoStore([]);
        let expected: string[] = [];
        for (const [items, merge] of writes) {
          store.write(items, merge);
          expected = [...new Set([...(merge ? expected : []), ...items.map(({ id }) => id)])];
        }
        expect(ids(store)).toEqual(expected);
        const { total, ...counts } = store.summary();
        expect(total).toBe(expected.length);
        expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(total);
      }),
    );
  });
});

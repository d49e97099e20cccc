import { RunQueue } from '../../../src/service/run/run_queue';

const session = (keyName: string, sessionId: string, tenantId = 'default') => ({ tenantId, keyName, sessionId });

function drain(queue: RunQueue): string[] {
  const order: string[] = [];
  for (let next = queue.takeNext(); next; next = queue.takeNext()) order.push(next.sessionId);
  return order;
}

it('serves the sessions of one key first come, first served, each once', () => {
  const queue = new RunQueue();
  for (const id of ['a', 'b', 'a', 'c']) queue.addSession(session('one', id));
  expect(drain(queue)).toEqual(['a', 'b', 'c']);
  expect(queue.hasNext).toBe(false);
});

it('lets keys take turns, so that a key with many sessions does not hold up another', () => {
  const queue = new RunQueue();
  for (let i = 1; i <= 100; i++) queue.addSession(session('busy', `busy ${i}`));
  queue.addSession(session('quiet', 'quiet 1'));
  queue.addSession(session('quiet', 'quiet 2'));
  expect(drain(queue).slice(0, 5)).toEqual(['busy 1', 'quiet 1', 'busy 2', 'quiet 2', 'busy 3']);
});

it('holds a key until a run of its tenant has ended, and keeps the order of its sessions', () => {
  const queue = new RunQueue();
  for (const id of ['a', 'b']) queue.addSession(session('one', id));
  queue.addSession(session('other', 'x', 'acme'));
  const first = queue.takeNext();
  if (first) queue.holdKey(first);
  expect(queue.takeNext()?.sessionId).toBe('x');
  queue.releaseKeys('acme');
  expect([queue.hasNext, queue.takeNext()]).toEqual([false, undefined]);
  queue.releaseKeys('default');
  expect(drain(queue)).toEqual(['a', 'b']);
});

it('keeps the order of two sessions that had their turns at the same time', () => {
  const queue = new RunQueue();
  queue.addSession(session('one', 'a'));
  const first = queue.takeNext();
  queue.addSession(session('one', 'b'));
  const second = queue.takeNext();
  for (const taken of [first, second]) if (taken) queue.holdKey(taken);
  queue.releaseKeys();
  expect(drain(queue)).toEqual(['a', 'b']);
});

it('keeps the place of a held session that was added again during its turn', () => {
  const queue = new RunQueue();
  for (const id of ['first', 'second']) queue.addSession(session('one', id));
  for (let i = 0; i < 2; i++) {
    const taken = queue.takeNext();
    expect(taken?.sessionId).toBe('first');
    queue.addSession(session('one', 'first'));
    if (taken) queue.holdKey(taken);
    queue.releaseKeys();
  }
  expect(drain(queue)).toEqual(['first', 'second']);
});

/** The messages that a client with a broken stream can still get. */
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { RecentEvents } from '../../../src/feature/mcp_door/recent_events';
import { readEventId } from '../../../src/feature/mcp_door/streamed_call';

const message = (text: string): JSONRPCMessage => ({ jsonrpc: '2.0', method: 'notifications/progress', params: { text } });

async function replay(events: RecentEvents, after: string) {
  const sent: [string, unknown][] = [];
  const send = async (id: string, sentMessage: JSONRPCMessage) => {
    sent.push([id, 'params' in sentMessage ? sentMessage.params?.['text'] : undefined]);
  };
  return { streamId: await events.replayEventsAfter(after, { send }), sent };
}

it('replays the later messages of the same stream, without the empty one that begins it', async () => {
  const events = new RecentEvents();
  const first = await events.storeEvent('a', {} as JSONRPCMessage);
  await events.storeEvent('b', message('other'));
  const second = await events.storeEvent('a', message('one'));
  const third = await events.storeEvent('a', message('two'));
  expect(await replay(events, first)).toEqual({
    streamId: 'a',
    sent: [
      [second, 'one'],
      [third, 'two'],
    ],
  });
  expect((await replay(events, third)).sent).toEqual([]);
});

it('keeps 500 messages, and knows nothing about older ones', async () => {
  const events = new RecentEvents();
  const ids: string[] = [];
  for (let i = 0; i <= 500; i += 1) ids.push(await events.storeEvent('a', message(`${i}`)));
  expect(await events.getStreamIdForEventId(ids[0] ?? '')).toBeUndefined();
  await expect(replay(events, ids[0] ?? '')).rejects.toThrow('no longer kept');
  expect((await replay(events, ids[1] ?? '')).sent).toHaveLength(499);
});

it('keeps at most 512 KiB, but the newest message whatever its size', async () => {
  const events = new RecentEvents();
  const small = await events.storeEvent('a', message('small'));
  const large = await events.storeEvent('a', message('x'.repeat(600 * 1024)));
  expect(await events.getStreamIdForEventId(small)).toBeUndefined();
  expect(await events.getStreamIdForEventId(large)).toBe('a');
});

it('keeps an error in place of an answer over 512 KiB, for a client that comes back for it', async () => {
  const events = new RecentEvents();
  const begun = await events.storeEvent('a', {} as JSONRPCMessage);
  await events.storeEvent('a', { jsonrpc: '2.0', id: 7, result: { text: 'x'.repeat(600 * 1024) } });
  const sent: JSONRPCMessage[] = [];
  await events.replayEventsAfter(begun, { send: async (_id, answer) => void sent.push(answer) });
  expect(sent).toEqual([{ jsonrpc: '2.0', id: 7, error: { code: -32_000, message: expect.stringContaining('too large') } }]);
});

it('names the call in the ids of the events that answer it, until its result', async () => {
  const events = new RecentEvents();
  const call = { callId: 'c0ffee00-0000-4000-8000-000000000000', requestId: 7, progressToken: 'token' };
  const begun = await events.answerCall(call, () => events.storeEvent('a', {} as JSONRPCMessage));
  const later = await events.storeEvent('a', message('one'));
  expect([readEventId(begun), readEventId(later)]).toEqual([call, call]);
  expect((await replay(events, begun)).sent).toEqual([[later, 'one']]);
  const end = await events.storeEvent('a', { jsonrpc: '2.0', id: 7, result: {} });
  expect(readEventId(end)).toEqual(call);
  const ofAll = await events.answerCall(call, () =>
    events.storeEvent('_GET_stream', { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }),
  );
  expect(readEventId(ofAll)).toBeUndefined();
});

it.each(['', 'a_1', 'a_1.', 'a_1.e30', `a_1.${Buffer.from('["a",{},null]').toString('base64url')}`])(
  'reads no call from an event id that names none: %j',
  id => expect(readEventId(id)).toBeUndefined(),
);

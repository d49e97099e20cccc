/** Run events between nodes: readers at one node follow runs of another, whatever the network loses. */
import { createLocalEventBus } from '../../../src/adapter/local/node/event_bus';
import { SharedEventBus } from '../../../src/adapter/nodes/shared_event_bus';
import { SharedNodeBus } from '../../../src/adapter/nodes/shared_node_bus';
import { NO_OTHER_NODES } from '../../../src/port/node_bus';
import type { RunEvent, RunEventBody } from '../../../src/port/run_event';
import { describeEventBusContract } from '../../contract/event_bus_contract';
import { createManualClock } from '../../support/manual_clock';
import { NodeNetwork } from '../../support/node_network';
import { numbered, textDelta } from '../../support/store_records';

const USAGE: RunEventBody = { type: 'usage', data: { inputTokens: 1, outputTokens: 2 } };
const END: RunEventBody = { type: 'run_end', data: { status: 'completed', text: '', usage: { inputTokens: 1, outputTokens: 2 } } };

describeEventBusContract('a node alone', () => new SharedEventBus(createLocalEventBus(), NO_OTHER_NODES, createManualClock()));

async function openNodes(maxBytes?: number) {
  const network = new NodeNetwork(maxBytes);
  const clock = createManualClock();
  const onError = (message: string, thrown: unknown) => {
    throw new Error(message, { cause: thrown });
  };
  const join = (self: string) =>
    new SharedEventBus(createLocalEventBus(), new SharedNodeBus({ transport: network.connect(), clock, self, onError }), clock);
  const [owner, other, third] = [join('owner'), join('other'), join('third')];
  await Promise.resolve();
  const settle = () => clock.advance(50);
  settle();
  const follow = async (bus = other) => {
    const seen: number[] = [];
    const notes: string[] = [];
    const subscription = await bus.subscribe('ses_1', {
      events: events => seen.push(...events.map(({ seq }) => seq)),
      withdrawn: (runId, storedSeq) => notes.push(`${runId} withdrawn after ${storedSeq}`),
      missed: () => notes.push('missed'),
    });
    settle();
    return { seen, notes, liveAtStart: subscription.live.map(({ seq }) => seq), stop: subscription.stop };
  };
  const liveAt = async (bus = other) => {
    const { live, stop } = await bus.subscribe('ses_1', { events: () => {} });
    stop();
    return live.map(({ seq }: RunEvent) => seq);
  };
  return { network, clock, owner, other, third, settle, follow, liveAt };
}

it('brings live and stored events to readers of another node, and keeps there what is not stored yet', async () => {
  const { owner, settle, follow, liveAt } = await openNodes();
  const reader = await follow();
  owner.publish(numbered([USAGE]));
  owner.publishLive(numbered([textDelta('a'), textDelta('b')], 2));
  settle();
  expect(reader.seen).toEqual([1, 2, 3]);
  expect(await liveAt()).toEqual([2, 3]);
  owner.markStored('ses_1', 'run_1', 2);
  settle();
  expect(await liveAt()).toEqual([3]);
  owner.publish(numbered([END], 4));
  settle();
  expect(reader).toMatchObject({ seen: [1, 2, 3, 4], notes: [] });
  expect(await liveAt()).toEqual([]);
});

it('sends nothing to nodes without a reader, and what is not stored to a reader that comes later', async () => {
  const { network, owner, settle, follow } = await openNodes();
  network.sent.length = 0;
  owner.publishLive(numbered([textDelta('a'), textDelta('b')], 5));
  settle();
  expect(network.sent).toEqual([]);
  const reader = await follow();
  expect(reader.seen).toEqual([5, 6]);
});

it('goes on without a gap for a reader that comes back at once', async () => {
  const { clock, owner, settle, follow, liveAt } = await openNodes();
  const { stop } = await follow();
  owner.publishLive(numbered([textDelta('a')]));
  settle();
  stop();
  clock.advance(1_000);
  owner.publishLive(numbered([textDelta('b')], 2));
  settle();
  expect((await follow()).liveAtStart).toEqual([1, 2]);
  clock.advance(3_000);
  expect(await liveAt()).toEqual([1, 2]);
});

it('stops sending a while after the last reader has left', async () => {
  const { network, clock, owner, settle, follow } = await openNodes();
  const { stop } = await follow();
  stop();
  clock.advance(3_000);
  network.sent.length = 0;
  owner.publishLive(numbered([textDelta('a')]));
  settle();
  expect(network.sent).toEqual([]);
});

it('leaves out events behind one that is too long, until the store has it', async () => {
  const { owner, settle, follow, liveAt } = await openNodes(2_000);
  const reader = await follow();
  owner.publishLive(numbered([textDelta('a'), textDelta('x'.repeat(3_000)), textDelta('c')]));
  settle();
  expect(reader).toMatchObject({ seen: [1], notes: [] });
  owner.markStored('ses_1', 'run_1', 3);
  owner.publishLive(numbered([textDelta('d')], 4));
  settle();
  expect(reader).toMatchObject({ seen: [1, 4], notes: ['missed'] });
  expect(await liveAt()).toEqual([4]);
  owner.publish(numbered([textDelta('y'.repeat(3_000)), USAGE], 5));
  settle();
  expect(reader).toMatchObject({ seen: [1, 4, 6], notes: ['missed', 'missed'] });
});

it('tells readers to read the store after a loss, and goes on with what is not stored', async () => {
  const { network, owner, settle, follow } = await openNodes();
  const reader = await follow();
  owner.publishLive(numbered([textDelta('a')]));
  settle();
  network.isCut = true;
  owner.publishLive(numbered([textDelta('lost')], 2));
  settle();
  network.heal();
  owner.publishLive(numbered([textDelta('c')], 3));
  settle();
  expect(reader.notes).toContain('missed');
  expect(reader.seen.slice(-3)).toEqual([1, 2, 3]);
});

it('withdraws what a dead node has shown when another node takes its run over, also the one of the reader', async () => {
  const { owner, other, third, settle, follow } = await openNodes();
  const reader = await follow();
  owner.publish(numbered([USAGE]));
  owner.publishLive(numbered([textDelta('a'), textDelta('b')], 2));
  settle();
  third.publishLive(numbered([textDelta('A')], 2));
  settle();
  expect(reader).toMatchObject({ seen: [1, 2, 3, 2], notes: ['run_1 withdrawn after 1'] });
  other.publishLive(numbered([textDelta('B')], 2));
  expect(reader.notes).toHaveLength(2);
  // The node that no longer has the run goes on for a moment.
  owner.publishLive(numbered([textDelta('late')], 4));
  settle();
  expect(reader.seen).toEqual([1, 2, 3, 2, 2]);
});

it('drops what a node that lost its run while it was stopped still sends, while the run goes on elsewhere and after its end', async () => {
  const { network, owner, other, third, settle, follow, liveAt } = await openNodes();
  owner.publishLive(numbered([textDelta('a'), textDelta('b'), textDelta('c')]), 1);
  network.isCut = true;
  const readers = [await follow(), await follow(third)];
  other.publishLive(numbered([textDelta('A')]), 2);
  network.isCut = false;
  other.publishLive(numbered([textDelta('B')], 2), 2);
  settle();
  // The stopped node hears of the readers, and sends them what it has.
  network.heal();
  settle();
  other.publish(numbered([END], 3), 2);
  settle();
  owner.publishLive(numbered([textDelta('d')], 4), 1);
  network.heal();
  settle();
  for (const { seen } of readers) expect([...new Set(seen)]).toEqual([1, 2, 3]);
  expect(await liveAt(other)).toEqual([]);
  expect(await liveAt(third)).toEqual([]);
});

it('tells readers of another node that events are withdrawn', async () => {
  const { owner, settle, follow, liveAt } = await openNodes();
  const reader = await follow();
  owner.publishLive(numbered([textDelta('a')], 3));
  owner.withdraw('ses_1', 'run_1');
  settle();
  expect(reader.notes).toEqual(['run_1 withdrawn after 2']);
  expect(await liveAt()).toEqual([]);
});

it('reads the store for what happened before the other gateways heard of the reader', async () => {
  const { clock, owner, other } = await openNodes();
  const notes: string[] = [];
  await other.subscribe('ses_1', { events: () => {}, missed: () => notes.push('missed') });
  owner.publish(numbered([END]));
  clock.advance(400);
  expect(notes).toEqual(['missed']);
});

it('reads the store when a node gives up a run that another node has ended meanwhile', async () => {
  const { other, third, settle, follow } = await openNodes();
  const reader = await follow();
  other.publish(numbered([USAGE]));
  third.publish(numbered([END], 2));
  settle();
  expect(reader).toMatchObject({ seen: [1], notes: [] });
  other.withdraw('ses_1', 'run_1');
  expect(reader.notes).toEqual(['missed']);
});

it('withdraws what was shown when the numbers of a run go back, and keeps none of it', async () => {
  const { network, clock, owner, settle, follow, liveAt } = await openNodes();
  const reader = await follow();
  owner.publishLive(numbered([textDelta('a'), textDelta('b'), textDelta('c')]));
  settle();
  network.isCut = true;
  owner.withdraw('ses_1', 'run_1');
  settle();
  network.isCut = false;
  owner.publish(numbered([END]));
  settle();
  expect(reader.seen).toEqual([1, 2, 3, 1]);
  expect(reader.notes).toContain('run_1 withdrawn after 0');
  reader.stop();
  clock.advance(3_000);
  expect(await liveAt()).toEqual([]);
});

it('ignores a node that withdraws a run which another node has taken over, and messages about an ended run', async () => {
  const { owner, third, settle, follow } = await openNodes();
  const reader = await follow();
  owner.publishLive(numbered([textDelta('a')]));
  settle();
  third.publishLive(numbered([textDelta('A'), textDelta('B')]));
  settle();
  owner.withdraw('ses_1', 'run_1');
  third.publish(numbered([END], 3));
  settle();
  owner.publishLive(numbered([textDelta('late')], 2));
  settle();
  expect(reader).toMatchObject({ seen: [1, 1, 2, 3], notes: ['run_1 withdrawn after 0'] });
});

/** A run looks for steering messages when it was told of one, or after some time. */
import { AppError } from '../../../src/errors';
import type { RunRecord } from '../../../src/port/store/runs';
import type { SteeringMessage } from '../../../src/port/store/steering_messages';
import { SteeringService } from '../../../src/service/run/steering_service';
import type { RunWriter } from '../../../src/service/run_log/run_writer';
import { createManualClock } from '../../support/manual_clock';
import { aRun } from '../../support/store_records';

const RUN: RunRecord = { ...aRun(), ordinal: 1 };
const message = (text: string) => ({ id: `msg_${text}`, text }) as SteeringMessage;

function startService() {
  const clock = createManualClock();
  const pending = jest.fn(async () => [] as SteeringMessage[]);
  const publish = jest.fn(() => true);
  const store = { read: { steeringMessages: { pending } } } as never;
  const service = new SteeringService({ store, clock, ids: {} as never, runLimiter: {} as never, nodeBus: { publish } });
  const writer = { record: async () => {} } as unknown as RunWriter;
  const take = async () => (await service.takeMessages(RUN, writer, () => {})).map(({ content }) => content);
  return { clock, pending, publish, service, take };
}

it('reads nothing for a new run until the run is told of a message', async () => {
  const { pending, publish, service, take } = startService();
  service.watchRun(RUN.id, { isNew: true });
  expect(await take()).toEqual([]);
  expect(pending).not.toHaveBeenCalled();
  pending.mockResolvedValueOnce([message('tea')]);
  service.tellRun(RUN.id);
  expect(publish).not.toHaveBeenCalled();
  expect(await take()).toEqual(['tea']);
  expect(await take()).toEqual([]);
  expect(pending).toHaveBeenCalledTimes(1);
});

it('reads at once for a run that was interrupted, and for every run when messages between gateways may be lost', async () => {
  const { pending, service, take } = startService();
  service.watchRun(RUN.id, { isNew: false });
  await take();
  service.noteLoss();
  await take();
  expect(pending).toHaveBeenCalledTimes(2);
});

it('finds a message of which it was not told two seconds later', async () => {
  const { clock, pending, service, take } = startService();
  service.watchRun(RUN.id, { isNew: true });
  pending.mockResolvedValue([message('tea')]);
  clock.advance(1_900);
  expect(await take()).toEqual([]);
  clock.advance(100);
  expect(await take()).toEqual(['tea']);
});

it('looks again when the store was unavailable, and for a message that comes during a read', async () => {
  const { clock, pending, service, take } = startService();
  service.watchRun(RUN.id, { isNew: false });
  pending.mockRejectedValueOnce(new AppError('store_unavailable'));
  pending.mockImplementationOnce(async () => {
    service.tellRun(RUN.id);
    return [];
  });
  const first = take();
  while (pending.mock.calls.length < 2) {
    await Promise.resolve();
    clock.advance(250);
  }
  expect(await first).toEqual([]);
  pending.mockResolvedValueOnce([message('tea')]);
  expect(await take()).toEqual(['tea']);
});

it('tells the other gateways of a message for a run that does not execute here', () => {
  const { publish, service } = startService();
  service.watchRun(RUN.id, { isNew: true });
  service.unwatchRun(RUN.id);
  service.tellRun(RUN.id);
  expect(publish).toHaveBeenCalledWith('steering', { runId: RUN.id });
});

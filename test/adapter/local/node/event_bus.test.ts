import { createLocalEventBus } from '../../../../src/adapter/local/node/event_bus';
import { describeEventBusContract } from '../../../contract/event_bus_contract';
import { numbered } from '../../../support/store_records';

describeEventBusContract('the local event bus', createLocalEventBus);

test('reports the error of a listener', async () => {
  const thrown: unknown[] = [];
  const bus = createLocalEventBus({ onListenerError: error => thrown.push(error) });
  const error = new Error('broken page');
  await bus.subscribe('ses_1', {
    events: () => {
      throw error;
    },
  });
  bus.publish(numbered([{ type: 'usage', data: { inputTokens: 1, outputTokens: 2 } }]));
  expect(thrown).toEqual([error]);
});

import { AppError } from '../../../src/errors';
import { taskForm } from '../../../src/feature/a2a_door/push_form';

// The SDK loads it for signatures of cards, and jest cannot load it.
jest.mock('jose', () => ({}));

const NEWS = { tenantId: 'acme', runId: 'run_1', status: 'completed' as const, timestamp: '2026-01-01T00:00:00.000Z' };
const formOver = (thrown: Error) =>
  taskForm({ runService: { getRun: () => Promise.reject(thrown) }, questionService: { listOpenQuestions: async () => [] } });

it('[a2a] has no notification for a task that was deleted, and fails while the store is unavailable', async () => {
  expect(await formOver(new AppError('not_found')).toBody(NEWS)).toBeUndefined();
  await expect(formOver(new AppError('store_unavailable')).toBody(NEWS)).rejects.toMatchObject({ code: 'store_unavailable' });
});

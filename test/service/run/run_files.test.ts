import { RunFiles } from '../../../src/service/run/run_files';
import { WriterClosed } from '../../../src/service/run_log/run_owner';
import { NO_WORKSPACE_SYNC, type WorkspaceSync } from '../../../src/service/workspace/workspace_sync';
import { Slot } from '../../../src/utils/slot';
import { aRun } from '../../support/store_records';

it('keeps the files of a run whose writer is closed, and logs that a conflict cannot be reported', async () => {
  const sync: WorkspaceSync = { ...NO_WORKSPACE_SYNC, keep: async () => [{ path: 'a.md', keptAs: 'a.conflict-123456.md' }] };
  const errors: unknown[] = [];
  const files = new RunFiles({
    workspaceSync: new Slot<WorkspaceSync>('workspaceSync', sync),
    onError: (_message, thrown) => errors.push(thrown),
  });
  const closed = new WriterClosed();
  const append = () => {
    throw closed;
  };
  await files.keep({ ...aRun(), ordinal: 1 }, { abandoned: new AbortController().signal }, { append });
  expect(errors).toEqual([closed]);
});

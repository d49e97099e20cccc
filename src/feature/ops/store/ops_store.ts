/** The owners that the console adds to the store. */
import type { StorePart } from '../../../adapter/sql/store_part';
import { OpsRunList } from './ops_run_list';
import { OpsSessionList } from './ops_session_list';
import { OpsTable } from './ops_table';
import { SavedViewTable } from './saved_view_table';

export const opsStore: StorePart = {
  owners: {
    ops: db => new OpsTable(db),
    opsRuns: db => new OpsRunList(db),
    opsSessions: db => new OpsSessionList(db),
    savedViews: db => new SavedViewTable(db),
  },
};

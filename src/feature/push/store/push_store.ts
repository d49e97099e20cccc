/** The owner that web push adds to the store. */
import type { StorePart } from '../../../adapter/sql/store_part';
import { describeDevices } from './push_migrations';
import { PushTable } from './push_table';

export const pushStore: StorePart = {
  migrations: { push_001_devices: { up: describeDevices } },
  owners: { push: db => new PushTable(db) },
};

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteStore } from '../../../src/adapter/sqlite/sqlite_store';
import { StoreOpenError } from '../../../src/port/store/store_errors';
import { STORE_PARTS } from '../../support/store_parts';
import { seed, TENANT } from '../../support/store_records';
import { withDirectory } from '../../support/temporary_store';

/** Paths that cannot be a database: how to create one, and what the error must say. */
const BROKEN: [name: string, prepare: (directory: string) => Promise<string>, reason: RegExp][] = [
  [
    'a path through a file',
    async directory => {
      await writeFile(join(directory, 'file'), '');
      return join(directory, 'file', 'neta.db');
    },
    /a part of the path is not a directory/,
  ],
  [
    'a directory',
    async directory => {
      await mkdir(join(directory, 'neta.db'));
      return join(directory, 'neta.db');
    },
    /it is a directory/,
  ],
  [
    'a file that is not a database',
    async directory => {
      await writeFile(join(directory, 'neta.db'), 'a letter to a friend, long enough to be read as a page header '.repeat(20));
      return join(directory, 'neta.db');
    },
    /file is not a database/,
  ],
];

test.each(BROKEN)('says in one sentence why %s cannot be opened', (_, prepare, reason) =>
  withDirectory(async directory => {
    const path = await prepare(directory);
    const error: unknown = await openSqliteStore({ parts: STORE_PARTS, path }).catch(thrown => thrown);
    expect(error).toBeInstanceOf(StoreOpenError);
    expect((error as Error).message).toMatch(new RegExp(`^The database ${path} cannot be opened: .*\\.$`));
    expect((error as Error).message).toMatch(reason);
  }),
);

test('refuses a database from which a newer version took something away, and leaves it as it is', () =>
  withDirectory(async directory => {
    const path = join(directory, 'neta.db');
    const store = await openSqliteStore({ parts: STORE_PARTS, path });
    await seed(store);
    await store.close();
    const database = new DatabaseSync(path);
    const mark = database.prepare('insert into schema_migrations (name, timestamp) values (?, ?)');
    mark.run('999_from_the_future_contract', new Date().toISOString());
    const opened = openSqliteStore({ parts: STORE_PARTS, path });
    await expect(opened).rejects.toBeInstanceOf(StoreOpenError);
    await expect(opened).rejects.toThrow('written by a newer version of the gateway (it has 999_from_the_future_contract, which');
    database.exec("delete from schema_migrations where name = '999_from_the_future_contract'");
    database.close();
    const again = await openSqliteStore({ parts: STORE_PARTS, path });
    expect(await again.read.sessions.get(TENANT, 'ses_1')).toBeDefined();
    await again.close();
  }));

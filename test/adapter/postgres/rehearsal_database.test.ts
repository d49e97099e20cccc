/** The database in which an update is rehearsed: made beside that of the gateway, and dropped. */
import { createRehearsalDatabase, type RehearsalDatabase } from '../../../src/adapter/postgres/rehearsal_database';
import { describeWithPostgres, type PostgresServer, query, startPostgres } from '../../support/postgres_server';

const DAY_MS = 24 * 3_600_000;

describeWithPostgres('the database of a rehearsal', () => {
  let server: PostgresServer;
  let url: string;
  beforeAll(async () => {
    server = await startPostgres();
    url = await server.createDatabase();
  });
  afterAll(() => server?.stop());

  const namesOf = async () => (await query(url, "select datname from pg_database where datname like 'neta\\_rehearsal\\_%'")).length;
  const create = async (address: string, now: number): Promise<RehearsalDatabase> => {
    const made = await createRehearsalDatabase(address, now);
    if ('refused' in made) throw new Error(made.refused);
    return made;
  };

  it('is empty, has the locale of the other one, and is dropped while a program is connected', async () => {
    const made = await create(url, Date.now());
    expect(new URL(made.url).pathname).toMatch(/^\/neta_rehearsal_[a-z0-9]+_[0-9a-f]{8}$/);
    const facts =
      'select datcollate, datctype, pg_encoding_to_char(encoding) as encoding from pg_database where datname = current_database()';
    expect(await query(made.url, facts)).toEqual(await query(url, facts));
    const held = query(made.url, 'select pg_sleep(60)').catch(String);
    while ((await query(url, "select 1 from pg_stat_activity where query = 'select pg_sleep(60)'")).length === 0);
    await made.drop();
    expect(await held).toMatch(/terminat|ended/i);
    expect(await namesOf()).toBe(0);
  });

  it('drops the database of an update that was killed a day ago, and no other one', async () => {
    const now = Date.now();
    await create(url, now - DAY_MS - 1_000);
    const other = await create(url, now - 1_000);
    const made = await create(url, now);
    expect(await namesOf()).toBe(2);
    for (const { drop } of [other, made]) await drop();
  });

  it('is refused to a user that may not create databases', async () => {
    await query(url, "create role visitor login password 'visitor'");
    const address = Object.assign(new URL(url), { username: 'visitor', password: 'visitor' }).href;
    expect(await createRehearsalDatabase(address, Date.now())).toEqual({ refused: expect.stringMatching(/permission denied/) });
  });
});

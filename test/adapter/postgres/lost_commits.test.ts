/** What a gateway finds out about a transaction whose connection broke: the server may have started again, and given its id to another one. */
import type { PoolClient } from 'pg';
import { PostgresWriter } from '../../../src/adapter/postgres/postgres_writer';
import { describeWithPostgres, ownPostgres, type PostgresServer, query, startPostgres } from '../../support/postgres_server';

describeWithPostgres('a transaction whose connection broke', () => {
  let server: PostgresServer;
  let url: string;
  let writer: PostgresWriter;

  beforeEach(async () => {
    server = await startPostgres();
    url = await server.createDatabase();
    await query(url, 'create table marks (id text)');
    writer = new PostgresWriter(url);
  });
  afterEach(async () => {
    await writer.close();
    await server.stop();
  });

  const begin = async (client: PoolClient, id?: string) => {
    await client.query('begin');
    if (id !== undefined) await client.query('insert into marks values ($1)', [id]);
    return (await client.query<{ xid: string }>('select pg_current_xact_id()::text as xid')).rows[0]!.xid;
  };
  const onlyHere = ownPostgres ? it : it.skip;

  it('is committed or rolled back, as the server says', async () => {
    const [client, other] = [await writer.take(), await writer.take()];
    const [kept, undone] = [await begin(client, 'kept'), await begin(other, 'undone')];
    await Promise.all([client.query('commit'), other.query('rollback')]);
    for (const used of [client, other]) used.release(true);
    expect(await writer.settle(kept, client)).toBe(true);
    expect(await writer.settle(undone, other)).toBe(false);
  });

  onlyHere('is not taken for another one that got its id after the server started again', async () => {
    const client = await writer.take();
    const lost = await begin(client);
    await server.kill('immediate');
    await server.restart();
    client.release(true);
    const next = await writer.take();
    expect(await begin(next, 'other')).toBe(lost);
    expect(await writer.settle(lost, client)).toBe(false);
    await next.query('commit');
    next.release();
    await expect(writer.settle(lost, client)).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringContaining('look before'),
    });
  });

  onlyHere('is rolled back when the server that started again does not know its id', async () => {
    const [client, other] = [await writer.take(), await writer.take()];
    await begin(client);
    const later = await begin(other);
    await server.kill('immediate');
    await server.restart();
    for (const used of [client, other]) used.release(true);
    expect(await writer.settle(later, other)).toBe(false);
  });
});

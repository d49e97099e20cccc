/** Updates and rollbacks: a gateway on the database of an earlier version, and on that of the next one. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { brotliDecompressSync } from 'node:zlib';
import { type Gateway, startGateway } from '../support/gateway';
import { createRestClient, type PageBody } from '../support/rest_client';
import { until } from '../support/until';

const OLD_DATABASE = join(__dirname, '../fixtures/neta-0.1.0.db.br');

let gateway: Gateway;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'neta-versions-'));
  await writeFile(join(dataDir, 'neta.db'), brotliDecompressSync(await readFile(OLD_DATABASE)));
  gateway = await startGateway({ env: { NETA_DATA_DIR: dataDir } });
});

afterAll(async () => {
  await gateway?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const rest = () => createRestClient(gateway.url);

async function readAll<Row>(path: string): Promise<Row[]> {
  return (await rest().request<PageBody<Row>>('GET', path)).body.data;
}

test('the database of 0.1.0 has its chats, memories and open questions after the update', async () => {
  const sessions = await readAll<{ id: string; title: string }>('/sessions?limit=50');
  expect(sessions).toHaveLength(10);
  expect((await readAll<{ text: string }>('/memories')).map(({ text }) => text).sort()).toEqual([
    'I like short answers',
    '我喜欢简短的回答',
  ]);
  const project = sessions.find(({ title }) => title.startsWith('Make a small project'));
  expect((await rest().history(project?.id ?? '')).map(({ role }) => role)).toEqual(expect.arrayContaining(['user', 'assistant', 'tool']));
  // A question and an approval were open when 0.1.0 was killed. Their time is over, and so is that of their runs.
  const runs = () => readAll<{ status: string }>('/runs?limit=50');
  const ended = await until(runs, rows => rows.every(({ status }) => status !== 'waiting' && status !== 'running'));
  expect(ended).toHaveLength(10);
  expect((await rest().run({ input: 'List the files', sessionId: project?.id })).body).toMatchObject({ status: 'completed' });
});

test('a version works with the additions of the next one, as after a rollback', async () => {
  await gateway.terminate();
  const database = new DatabaseSync(join(dataDir, 'neta.db'));
  const tables = database
    .prepare("select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite_%'")
    .all();
  for (const { name } of tables) {
    database.exec(
      `alter table "${name}" add column of_next_version text; alter table "${name}" add column weight integer not null default 0`,
    );
  }
  database.exec(
    "create table things (id text primary key); insert into schema_migrations (name, timestamp) values ('999_things', '2027-01-01')",
  );
  database.close();
  expect(tables.length).toBeGreaterThan(40);

  await gateway.restart();
  const { body } = await rest().run({ input: 'Run the command: echo tea' });
  expect(body).toMatchObject({ status: 'completed' });
  await rest().run({ input: 'Remember that tea is green', sessionId: body.sessionId });
  expect((await rest().request('POST', `/sessions/${body.sessionId}/fork`)).status).toBe(201);
  expect((await readAll('/memories')).length).toBe(3);
  await gateway.restart();
  expect(await rest().history(body.sessionId)).not.toEqual([]);
}, 60_000);

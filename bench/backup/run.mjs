/**
 * `npm run bench:backup`: prints the seconds of a backup, a restore and, with DATABASE_URL (an empty Postgres), a move, beside `sqlite3 .backup` and
 * `pg_dump` of the same rows where these programs are installed. Options: --mib <size of the database>.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { buildIfNeeded, root } from '../../scripts/build_if_needed.mjs';
import { makeTemporaryDirectory } from '../gateway/leftovers.mjs';

const { values: options } = parseArgs({ options: { mib: { type: 'string', default: '1024' } } });
const MIB = 1024 * 1024;
const WORDS =
  'the gateway keeps every message of a session and its events while people work on files with tools that read write and run'.split(' ');
const EVENTS_OF_RUN = 40;

/** A text of words and numbers, which compresses about as well as text of people. */
function textOf(length) {
  let text = '';
  while (text.length < length)
    text += `${WORDS[Math.floor(Math.random() * WORDS.length)]}${Math.random() < 0.2 ? Math.floor(Math.random() * 1e6) : ''} `;
  return text;
}

/** Copies rows of a session with one run, until the database has the size. */
function fill(path, bytes) {
  const database = new DatabaseSync(path);
  database.exec('pragma journal_mode = wal; pragma synchronous = off');
  const insert = (table, row) => {
    const names = Object.keys(row);
    database.prepare(`insert into ${table} (${names}) values (${names.map(() => '?')})`).run(...Object.values(row));
  };
  const now = Date.now();
  for (let i = 0, stored = 0; stored < bytes; i += 1) {
    if (i % 200 === 0) database.exec(i === 0 ? 'begin' : 'commit; begin');
    const key = { tenant_id: 'default', session_id: `ses_${String(i).padStart(9, '0')}` };
    const run = { tenant_id: 'default', run_id: `run_${String(i).padStart(9, '0')}` };
    insert('sessions', {
      tenant_id: 'default',
      id: key.session_id,
      title: textOf(40),
      agent: 'default',
      locale: 'en',
      thinking_level: 'off',
      created_at: now,
      updated_at: now,
    });
    insert('runs', {
      ...key,
      id: run.run_id,
      ordinal: 1,
      status: 'completed',
      door: 'rest',
      agent: 'default',
      locale: 'en',
      input: textOf(200),
      interaction: '{}',
      limits: '{}',
      last_seq: EVENTS_OF_RUN,
      epoch: 1,
      cancel_requested: 0,
      created_at: now,
    });
    for (let seq = 1; seq <= EVENTS_OF_RUN; seq += 1) {
      const data = JSON.stringify({ text: textOf(500) });
      insert('run_events', { ...key, ...run, first_seq: seq, last_seq: seq, type: 'message_end', ts: new Date(now).toISOString(), data });
      stored += data.length + 150;
    }
    for (let position = 0; position < 4; position += 1) {
      const message = JSON.stringify({ role: 'assistant', content: textOf(2_000) });
      insert('messages', { ...key, ...run, id: `msg_${i}_${position}`, run_ordinal: 1, position, message, created_at: now });
      stored += message.length + 150;
    }
  }
  database.exec('commit; pragma wal_checkpoint(truncate)');
  database.close();
}

/** Runs a program and returns its seconds; undefined when it is not installed. A pg_dump that is older than the server is no use either. */
function time(program, args, env = {}) {
  const started = performance.now();
  const child = spawnSync(program, args, { env: { ...process.env, ...env }, encoding: 'utf8' });
  if (child.error?.code === 'ENOENT') return undefined;
  if (program === 'pg_dump' && /version mismatch/.test(child.stderr)) return undefined;
  if (child.status !== 0) throw new Error(`${program} ${args.join(' ')}: ${child.stderr}`);
  return { seconds: (performance.now() - started) / 1000, output: child.stdout.trim() };
}

const neta = (args, env) => time(process.execPath, [join(root, 'scripts/neta.mjs'), ...args], { NETA_SANDBOX: 'none', ...env });
const print = (what, result, size) =>
  console.log(
    `| ${what} | ${result ? `${result.seconds.toFixed(1)} s` : 'not installed, or too old'} | ${result ? `${(size / MIB / result.seconds).toFixed(0)} MiB/s` : ''} |`,
  );

buildIfNeeded();
const { openSqliteStore } = await import(join(root, 'dist/src/adapter/sqlite/sqlite_store.js'));
const { FEATURES } = await import(join(root, 'dist/src/features.js'));
const { storePartsOf } = await import(join(root, 'dist/src/feature.js'));
const home = makeTemporaryDirectory('backup');
try {
  const env = { NETA_DATA_DIR: join(home, 'data'), NETA_WORKSPACE: join(home, 'workspace'), DATABASE_URL: '' };
  mkdirSync(env.NETA_WORKSPACE);
  const path = join(env.NETA_DATA_DIR, 'neta.db');
  await (await openSqliteStore({ path, parts: storePartsOf(FEATURES) })).close();
  fill(path, Number(options.mib) * MIB * 0.9);
  const { size } = statSync(path);
  console.log(
    `database ${(size / MIB).toFixed(0)} MiB, ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)}, Node ${process.version}\n\n| | time | |\n|---|---|---|`,
  );
  print('neta backup, read back and verified', neta(['backup', '--to', join(home, 'archives')], env), size);
  print('sqlite3 .backup', time('sqlite3', [path, `.backup '${join(home, 'copy.db')}'`]), size);
  const [archive] = readdirSync(join(home, 'archives')).map(name => join(home, 'archives', name));
  const restored = { ...env, NETA_DATA_DIR: join(home, 'restored'), NETA_WORKSPACE: join(home, 'restored_workspace') };
  mkdirSync(restored.NETA_WORKSPACE);
  print('neta restore into SQLite', neta(['restore', archive], restored), size);
  const url = process.env.DATABASE_URL;
  if (url) {
    print('neta migrate-store to Postgres', neta(['migrate-store', '--from', 'sqlite', '--to', url], env), size);
    print('neta backup of Postgres', neta(['backup', '--to', join(home, 'archives_of_postgres')], { ...env, DATABASE_URL: url }), size);
    print('pg_dump --format=custom', time('pg_dump', ['--format=custom', `--file=${join(home, 'dump')}`, url]), size);
  }
  console.log(`\narchive ${(statSync(archive).size / MIB).toFixed(0)} MiB`);
} finally {
  rmSync(home, { recursive: true, force: true });
}

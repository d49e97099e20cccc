import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openSqliteStore } from '../../../src/adapter/sqlite/sqlite_store';
import { STORE_PARTS } from '../../support/store_parts';
import { TENANT } from '../../support/store_records';
import { withDirectory } from '../../support/temporary_store';

const SUPPORT = join(__dirname, '../../support');

/** Returns the numbers that the writer acknowledged before it was killed, at least `count` of them. */
async function writeUntilKilled(path: string, count: number): Promise<number[]> {
  const script = ['--require', join(SUPPORT, 'typescript_hook.cjs'), join(SUPPORT, 'acknowledging_writer.ts'), path];
  const child = spawn(process.execPath, script, { stdio: ['ignore', 'pipe', 'inherit'], env: { PATH: process.env.PATH } });
  const exited = once(child, 'exit');
  const acknowledged: number[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged.push(Number(line));
    if (acknowledged.length === count) child.kill('SIGKILL');
  }
  expect((await exited)[1]).toBe('SIGKILL');
  return acknowledged;
}

test('keeps every write that was acknowledged before kill -9, and accepts new ones', () =>
  withDirectory(async directory => {
    const path = join(directory, 'neta.db');
    const acknowledged = await writeUntilKilled(path, 60);
    const store = await openSqliteStore({ parts: STORE_PARTS, path });
    const history = await store.read.messages.history(TENANT, 'ses_1');
    const events = await store.read.events.list(TENANT, 'run_1', 0, 10_000);
    expect(history.map(message => message.position).slice(0, acknowledged.length)).toEqual(acknowledged);
    // Transactions are atomic: a message exists exactly when its event does.
    expect(events.map(event => event.seq - 1)).toEqual(history.map(message => message.position));
    await expect(store.check()).resolves.toBeUndefined();
    await store.close();
  }));

/** A process that stores messages until it is killed, and prints the number of each message once the store has acknowledged it. */

import { openSqliteStore } from '../../src/adapter/sqlite/sqlite_store';
import { STORE_PARTS } from './store_parts';
import { aMessage, numbered, RUN, seed, textDelta } from './store_records';

async function write(path: string): Promise<never> {
  const store = await openSqliteStore({ parts: STORE_PARTS, path });
  await seed(store);
  for (let number = 0; ; number++) {
    await store.transaction('none', async tx => {
      await tx.messages.insert([aMessage({ position: number })]);
      await tx.events.append(RUN, numbered([textDelta(`${number}`)], number + 1));
    });
    process.stdout.write(`${number}\n`);
  }
}

void write(process.argv[2]!);

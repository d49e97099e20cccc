/** The secret name of the channel between the gateways on a database: whoever knows it hears what they tell each other. */
import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { connectionConfig } from './postgres_address';
import { ServerClient } from './server_client';

/** Returns the name that every gateway on this database uses; makes one up when there is none. */
export async function nodeChannel(client: Client): Promise<string> {
  const name = `neta_${randomBytes(16).toString('hex')}`;
  await client.query("insert into settings (key, value) values ('node_channel', $1) on conflict do nothing", [name]);
  const { rows } = await client.query<{ value: string }>("select value from settings where key = 'node_channel'");
  return rows[0]?.value ?? name;
}

/** As `nodeChannel`, on a connection that ends. */
export async function readNodeChannel(url: string): Promise<string> {
  const client = new ServerClient(connectionConfig(url, {}));
  client.on('error', () => {});
  try {
    await client.connect();
    return await nodeChannel(client);
  } finally {
    await client.end().catch(() => {});
  }
}

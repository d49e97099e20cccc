/**
 * Gives the agent a task and prints its answer while it arrives. Node 24 runs it as it is:
 *
 *     NETA_URL=http://127.0.0.1:7001 NETA_API_KEY=... node ask.ts "list the files"
 */
import { NetaClient } from '@neta/client';

const { NETA_URL: url, NETA_API_KEY: apiKey } = process.env;
const neta = new NetaClient({ url: url || undefined, apiKey: apiKey || undefined });

const { status } = await neta.run(
  { input: process.argv.slice(2).join(' ') },
  { onEvent: event => event.type === 'text_delta' && process.stdout.write(event.data.text) },
);
console.log();
process.exitCode = status === 'completed' ? 0 : 1;

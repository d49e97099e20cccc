/** The server half of the SDK, which is loaded with the first client: it takes 6 MB and 0.2 s. */
import { yieldToEventLoop } from '../../utils/yield_to_event_loop';

type Types = typeof import('@modelcontextprotocol/sdk/types.js');
type Servers = typeof import('@modelcontextprotocol/sdk/server/index.js');
type HttpTransports = typeof import('@modelcontextprotocol/sdk/server/streamableHttp.js');
type Sdk = Types & Servers & HttpTransports;

let sdk: Sdk | undefined;

/** Loads each part in a turn of the event loop: all at once would hold up other callers for 200 ms. Later calls do nothing. */
export async function loadServerSdk(): Promise<void> {
  if (sdk) return;
  const types: Types = require('@modelcontextprotocol/sdk/types.js');
  await yieldToEventLoop();
  const servers: Servers = require('@modelcontextprotocol/sdk/server/index.js');
  await yieldToEventLoop();
  const transports: HttpTransports = require('@modelcontextprotocol/sdk/server/streamableHttp.js');
  sdk = { ...types, ...servers, ...transports };
}

/** Throws before loadServerSdk has resolved. */
export function serverSdk(): Sdk {
  if (!sdk) throw new Error('serverSdk was called before loadServerSdk had resolved: await it first.');
  return sdk;
}

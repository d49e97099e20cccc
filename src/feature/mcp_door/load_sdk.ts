/** Loads the server half of the SDK, about 240 modules. */
import { yieldToEventLoop } from '../../utils/yield_to_event_loop';

const LAST_PART = '@modelcontextprotocol/sdk/server/streamableHttp.js';
const PARTS = [
  () => require('@modelcontextprotocol/sdk/types.js'),
  () => require('@modelcontextprotocol/sdk/server/index.js'),
  () => require('@modelcontextprotocol/sdk/server/streamableHttp.js'),
];

/** Loads each part in a turn of the event loop: all at once would hold up other callers for 200 ms. Later calls do nothing. */
export async function loadSdk(): Promise<void> {
  if (require.cache[require.resolve(LAST_PART)]) return;
  for (const load of PARTS) {
    load();
    await yieldToEventLoop();
  }
}

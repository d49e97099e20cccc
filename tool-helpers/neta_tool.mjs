/**
 * Speaks the protocol of manifest tools, so that an author writes functions only. Works for the types sync, async and service.
 *
 *   import { serve } from 'neta_tool';
 *   serve({ greet: async ({ name }, { settings, context, progress }) => ({ text: `Hello ${name}` }) });
 *
 * A function gets the parameters and returns the result, or answer(...). An error that it throws becomes the error of the call.
 */
import { createInterface } from 'node:readline';

const HEALTH = '__health__';

class Answer {
  constructor(fields) {
    Object.assign(this, fields);
  }
}

/** `message`: what the model reads instead of the result. `data`: bytes (Buffer or Uint8Array), sent as base64. */
export function answer({ result, message, data }) {
  return new Answer({ result, message, ...(data !== undefined && { base64: Buffer.from(data).toString('base64') }) });
}

/** Starts to answer requests. `commands`: one function for each command of the manifest, by its name, or one function for all. */
export function serve(commands) {
  // stdout carries answers only; what a program prints goes to the log of the gateway.
  console.log = console.error;
  console.info = console.error;
  console.debug = console.error;
  if (process.env.NETA_TOOL_TYPE === 'service') write({ ready: true });
  createInterface({ input: process.stdin }).on('line', line => {
    if (line.trim() !== '') void handle(commands, line);
  });
}

async function handle(commands, line) {
  const { id, command, parameters = {}, settings = {}, context = {} } = JSON.parse(line);
  if (command === HEALTH) return write({ id, status: 'success' });
  const run = typeof commands === 'function' ? commands : Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (!run) return write({ id, status: 'error', error: `There is no command ${command}.` });
  const progress = text => write({ id, progress: String(text) });
  try {
    const value = await run(parameters, { command, settings, context, progress });
    write({ id, status: 'success', ...(value instanceof Answer ? value : { result: value }) });
  } catch (error) {
    write({ id, status: 'error', error: error instanceof Error ? error.message : String(error) });
    console.error(error);
  }
}

function write(value) {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

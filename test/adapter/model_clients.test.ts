/** The times and the dialect of one model, as models.yaml has them. */
import { createModelClients } from '../../src/adapter/model_clients';
import { DIALECTS } from '../../src/port/dialects';
import type { ModelDefinition } from '../../src/port/model_client';
import { type BrokenModel, type BrokenWay, finish, startBrokenModel, startSilentTls, textChunk } from '../support/broken_model';
import { ask, recordingSink } from './openai/ask';

const LONG_MS = 60_000;

let broken: BrokenModel;
beforeAll(async () => {
  broken = await startBrokenModel();
});
afterAll(() => broken.stop());

async function call(baseUrl: string, own: Partial<ModelDefinition>): Promise<unknown> {
  const clients = createModelClients({
    ids: { next: kind => `${kind}_1`, uuid: () => 'uuid' },
    times: { connectMs: LONG_MS, firstByteMs: LONG_MS, idleMs: LONG_MS, totalMs: LONG_MS },
  });
  const client = clients.openClient({ id: 'own', baseUrl, model: 'm', parameters: {}, reasoning: {}, ...own }, undefined);
  try {
    // Another model can answer, so that no attempt is repeated.
    return (await client.stream(ask('hi', { hasAlternative: true }), recordingSink())).message.content;
  } catch (thrown) {
    return (thrown as { details?: { phase?: string } }).details?.phase ?? thrown;
  } finally {
    client.close();
  }
}

it.each<[time: keyof ModelDefinition, way: BrokenWay, phase: string]>([
  ['firstByteMs', 'stalls_before_headers', 'first_byte'],
  ['idleMs', 'stalls_in_the_middle', 'idle'],
  ['totalMs', 'stalls_in_the_middle', 'whole'],
])('%s of a model ends its call, whatever the times of other models', async (time, way, phase) => {
  expect(await call(broken.baseUrl(way), { [time]: 60 })).toBe(phase);
});

it('connectMs of a model ends its call, whatever the times of other models', async () => {
  const silent = await startSilentTls();
  expect(await call(silent.baseUrl, { connectMs: 60 })).toBe('connect');
  silent.stop();
});

it.each([
  ['openrouter', 'fine'],
  ['deepseek', 'fine'],
  ['openai', 'first_byte'],
  ['tolerant', 'first_byte'],
] as const)('a server of the dialect %s that sends comments for longer than firstByteMs: %s', async (dialect, outcome) => {
  expect(DIALECTS[dialect].commentsAreLife).toBe(outcome === 'fine');
  const baseUrl = broken.serve(({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    let comments = 0;
    const drip = setInterval(() => {
      response.write(': still working\n\n');
      if (++comments < 25) return;
      clearInterval(drip);
      response.end([textChunk('fine'), finish('stop')].map(event => `data: ${JSON.stringify(event)}\n\n`).join(''));
    }, 30);
    response.once('close', () => clearInterval(drip));
  });
  expect(await call(baseUrl, { dialect, firstByteMs: 500 })).toBe(outcome);
});

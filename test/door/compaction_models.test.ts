/** Summaries and the models that write them: the chosen model, the one that stands in for it, and a crew member's own context. */
import { type AgentBench, startBench } from '../support/agent_bench';
import { type AgentConfig, createProfiles } from '../support/agent_config';
import type { ModelRequest } from '../support/mock_model';
import { dataOf, MODEL_DOORS, type ModelBench, startModelBench, TWO_MODELS } from '../support/model_bench';

const isSummaryCall = ({ body }: ModelRequest) => (body.messages[0]?.content ?? '').startsWith('You write the summary');
const SUMMARY = '## Goals\nA garden.';
const LONG = 'The beans grow along the wall of the shed. '.repeat(60);

describe.each(MODEL_DOORS)('over %s', (_door, say) => {
  let bench: ModelBench;
  afterEach(() => bench?.stop());

  it('the chosen model writes the summary, and while it fails the next one does, which the run says once', async () => {
    // Limits of the model for its answers.
    const models = TWO_MODELS.replace('model: model-b', 'model: model-b, parameters: { maxOutputTokens: 7, stop: [y], topP: 0.9 }');
    expect(models).not.toBe(TWO_MODELS);
    bench = await startModelBench({ models, env: { NETA_MAX_CONTEXT_MESSAGES: '8' } });
    bench.a.onTurn(/^turn \d/, 'Fine.');
    bench.a.onTurn(/./, { error: { status: 503 } });
    bench.b.onTurn(isSummaryCall, SUMMARY);
    const read = { toolCalls: [{ name: 'list_dir', arguments: {} }] };
    bench.b.onTurn('and now', read, 'Here it is.');
    let sessionId: string | undefined;
    for (let i = 0; i < 4; i++) ({ sessionId } = await say(bench, `turn ${i} ${LONG}`, { ...(sessionId && { sessionId }) }));
    const parameters = { temperature: 0.3, stop: 'x', maxOutputTokens: 50 };
    const { events, end } = await say(bench, 'and now', { sessionId, parameters });
    expect(end).toMatchObject({ status: 'completed', text: 'Here it is.' });
    expect(bench.a.requests(isSummaryCall).length).toBeGreaterThan(0);
    const [summary, ...others] = bench.b.requests(isSummaryCall);
    expect(others).toEqual([]);
    expect(summary?.body).toMatchObject({ model: 'model-b', temperature: 0.3, top_p: 0.9 });
    expect(summary?.body).not.toHaveProperty('stop');
    expect(summary?.body).not.toHaveProperty('max_tokens');
    expect(dataOf(events, 'model_fallback')).toEqual([expect.objectContaining({ from: 'a', to: 'b' })]);
    const order = events.map(({ type }) => type);
    expect(order.indexOf('model_fallback')).toBeLessThan(order.indexOf('context_compacted'));
    expect(dataOf(events, 'usage').map(({ model }) => model)).toEqual(['b', 'b', 'b']);
  });
});

describe('a crew member whose context is full', () => {
  let config: AgentConfig;
  let bench: AgentBench;
  const FILES = 12;

  beforeAll(async () => {
    config = await createProfiles({ default: 'members: [scout]', scout: 'toolsets: [base]' });
    const files = Object.fromEntries(
      Array.from({ length: FILES }, (_, i) => [`big/${i + 1}.txt`, `${'The beans grow along the wall of the shed.\n'.repeat(120)}\n`]),
    );
    bench = await startBench({ env: { NETA_CONFIG_DIR: config.directory, NETA_CONTEXT_TOKENS: '20000' }, files });
    const { model } = bench;
    model.onTurn(isSummaryCall, SUMMARY);
    const args = { member: 'scout', task: 'read the big files' };
    model.onTurn(
      'lead the scout',
      { toolCalls: [{ name: 'delegate_task', arguments: args }] },
      ({ toolResults }) => `Told: ${toolResults}`,
    );
    let calls = 0;
    const step = () => {
      calls += 1;
      if (calls > FILES) return 'The scout has read all.';
      return { toolCalls: [{ name: 'read_file', arguments: { path: `big/${calls}.txt` } }] };
    };
    model.onTurn('read the big files', ...Array.from({ length: FILES + 1 }, () => step));
  });
  afterAll(async () => {
    await bench?.stop();
    await config?.remove();
  });

  it('goes on with a summary of its own, and its master gets the report', async () => {
    const { body } = await bench.rest.run({ input: 'lead the scout' });
    expect(body).toMatchObject({ status: 'completed', text: expect.stringContaining('The scout has read all.') });
    expect(bench.model.requests(isSummaryCall).length).toBeGreaterThan(0);
    const last = bench.model.requests('read the big files').findLast(request => !isSummaryCall(request));
    const contents = last?.body.messages.map(message => message.content ?? '') ?? [];
    expect(contents[1]).toContain(`<conversation_summary>\n${SUMMARY}`);
    expect(contents[3]).toContain('read the big files');
    // The summary is the member's, not the master's.
    const [answered] = bench.model.requests('lead the scout').slice(-1);
    expect(answered?.body.messages.some(message => message.content?.includes('<conversation_summary>'))).toBe(false);
  });
});

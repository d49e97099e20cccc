/** The tool catalog, direct calls, the execution log, and the health probes. */
import { type AgentBench, MODEL_KEY, startBench } from '../support/agent_bench';
import type { ErrorBody, PageBody } from '../support/rest_client';
import { type Site, startSite } from '../support/site';

let bench: AgentBench;
let slow: Site;

beforeAll(async () => {
  slow = await startSite();
  bench = await startBench({ files: { 'a.txt': 'alpha\n' }, env: { NETA_FETCH_ALLOW: slow.host } });
});

afterAll(async () => {
  await bench?.stop();
  await slow?.stop();
});

interface ToolRow {
  name: string;
  toolset: string;
  origin: string;
  label: string;
  description: string;
  effect: string;
  parameters: { type: string; properties: Record<string, unknown> };
  enabled: boolean;
}

const callTool = (toolName: string, parameters: unknown, more: Record<string, unknown> = {}) =>
  bench.rest.request<Record<string, unknown>>('POST', '/tools/call', { toolName, parameters, ...more });

describe('the catalog (neta.catalog.schema, neta.catalog.central)', () => {
  it('lists every tool with its schema and whether it can run', async () => {
    const { body } = await bench.rest.request<PageBody<ToolRow>>('GET', '/tools');
    const fields = ['name', 'toolset', 'origin', 'label', 'description', 'effect', 'parameters', 'annotations', 'enabled'];
    const counted = ['calls', 'errors', 'countedSince'];
    const own = body.data.filter(tool => tool.origin === 'builtin');
    for (const tool of own) expect(Object.keys(tool)).toEqual([...fields, ...(tool.enabled ? [] : ['reason']), ...counted]);
    const enabled = body.data.filter(tool => tool.enabled).map(tool => tool.name);
    expect(enabled).toEqual(
      expect.arrayContaining(['bash', 'read_file', 'write_file', 'list_dir', 'patch', 'todo', 'clarify', 'fetch_page']),
    );
    expect(body.data.find(tool => tool.name === 'patch')?.parameters).toMatchObject({ type: 'object', properties: { old_string: {} } });
  });

  it('is in the requested language', async () => {
    const { body } = await bench.rest.request<PageBody<ToolRow>>('GET', '/tools', undefined, { 'accept-language': 'zh-CN,zh;q=0.9' });
    expect(body.data[0]).toMatchObject({ name: 'bash', label: '运行命令' });
  });

  it('groups tools in toolsets and marks the default ones (neta.catalog.queries)', async () => {
    const { body } = await bench.rest.request<PageBody<{ name: string; origin: string; default: boolean; tools: string[] }>>(
      'GET',
      '/toolsets',
    );
    expect(body.data.filter(set => set.default).map(set => set.name)).toEqual(['base', 'planning', 'interaction']);
    expect(body.data.filter(set => set.origin === 'builtin').map(set => set.name)).toEqual([
      'base',
      'planning',
      'interaction',
      'memory',
      'skill',
      'crew',
      'web',
      'data',
      'utility',
      'files',
      'terminal',
      'jobs',
    ]);
  });
});

describe('a direct call', () => {
  it('returns the result in the wire form of manifests', async () => {
    const { status, body } = await callTool('read_file', { path: 'a.txt' });
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'success',
      result: expect.objectContaining({ content: expect.stringContaining('alpha') }),
      error: null,
      message: expect.any(String),
      durationMs: expect.any(Number),
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });

  it.each([
    ['fails by its own rules', 'read_file', { path: 'missing.txt' }, /missing\.txt/],
    ['has wrong parameters', 'read_file', { file: 'a.txt' }, /path|file/],
    ['leads out of the workspace', 'read_file', { path: '/etc/passwd' }, /workspace/],
    ['exits with an error', 'bash', { command: 'exit 3' }, /Exit code 3/],
  ])('that %s is an error result with HTTP 200', async (_what, name, parameters, message) => {
    const { status, body } = await callTool(name, parameters);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'error', result: null, error: expect.stringMatching(message) });
  });

  it.each([
    ['a command', 'bash', { command: 'echo begun; sleep 60' }, { timeout: 300 }, /time limit of this call[\s\S]*begun/],
    ['a command with its own limit', 'bash', { command: 'sleep 60', timeout_ms: 300 }, {}, /time limit/],
    ['a page', 'fetch_page', { url: 'SLOW' }, { timeout: 300 }, /time limit of 300 ms/],
  ])('that reaches a time limit reports it: %s', async (_what, name, parameters, more, message) => {
    const asked = 'url' in parameters ? { url: slow.url('/dripping') } : parameters;
    const { body } = await callTool(name, asked, more);
    expect(body).toMatchObject({ status: 'error', errorCode: 'tool_timeout', error: expect.stringMatching(message) });
    expect(body['error']).not.toMatch(/cancel/i);
    expect(Number(body['durationMs'])).toBeLessThan(10_000);
    const { body: log } = await bench.rest.request<PageBody<unknown>>('GET', '/tool-executions?limit=1');
    expect(log.data).toMatchObject([{ tool: name, status: 'error', error: expect.stringMatching(message) }]);
  });

  it('answers 404 for an unknown tool and 400 for a bad request', async () => {
    expect(await callTool('format_disk', {})).toMatchObject({ status: 404, body: { error: { code: 'not_found', param: '/toolName' } } });
    expect(await callTool('bash', 'rm')).toMatchObject({ status: 400, body: { error: { code: 'invalid_request', param: '/parameters' } } });
    expect(await bench.rest.request<ErrorBody>('POST', '/tools/call', {})).toMatchObject({
      status: 400,
      body: { error: { param: '/toolName' } },
    });
  });

  it('of a command does not see the settings of the gateway', async () => {
    const { body } = await callTool('bash', { command: 'env; cat /proc/self/environ' });
    const text = JSON.stringify(body);
    expect(text).toContain('PATH=');
    expect(text).not.toMatch(new RegExp(`${MODEL_KEY}|OPENAI|NETA_(?!CALL=)`));
  });
});

describe('the execution log (beaver.events)', () => {
  it('lists direct calls and calls of runs, newest first, with filters', async () => {
    bench.model.onTurn('write it', { toolCalls: [{ name: 'write_file', arguments: { path: 'b.txt', content: 'b' } }] }, 'written');
    const { body: run } = await bench.rest.run({ input: 'write it' });
    await callTool('list_dir', {});
    const list = async (query: string) =>
      (await bench.rest.request<PageBody<Record<string, unknown>>>('GET', `/tool-executions${query}`)).body.data;
    const [newest, before] = await list('');
    expect(newest).toMatchObject({ tool: 'list_dir', status: 'success', args: '{}', durationMs: expect.any(Number) });
    expect(newest).not.toHaveProperty('sessionId');
    expect(before).toMatchObject({ tool: 'write_file', status: 'success', runId: run.runId, sessionId: run.sessionId });
    expect(await list(`?session=${run.sessionId}`)).toEqual([before]);
    expect(await list('?tool=write_file&status=error')).toEqual([]);
    expect(await list('?since=2999-01-01T00:00:00Z')).toEqual([]);
    for (const since of ['2026-02-31T00:00:00Z', '2026-13-45T99:00:00Z']) {
      const { status, body } = await bench.rest.request<ErrorBody>('GET', `/tool-executions?since=${since}`);
      expect([status, body.error]).toEqual([400, expect.objectContaining({ code: 'invalid_request', param: '/since' })]);
    }
  });
});

describe('probes and info', () => {
  it('report that the process is alive and ready, and its model', async () => {
    expect(await bench.rest.request('GET', '//healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
    const ready = await bench.rest.request('GET', '//readyz');
    expect(ready).toMatchObject({
      status: 200,
      body: {
        status: 'ready',
        store: 'ok',
        model: { provider: 'openai-compatible', demo: false },
        isolation: expect.stringMatching(/^(bubblewrap|namespaces|process_group)$/),
        sandbox: { kind: expect.stringMatching(/^(bubblewrap|namespaces|none)$/), network: expect.any(Boolean) },
        commandLimits: { processes: 512, memoryBytes: 2 * 1024 ** 3, fileBytes: 1024 ** 3, timeMs: 600_000, watched: expect.any(Boolean) },
      },
    });
    const info = await bench.rest.request('GET', '/info');
    expect(info).toMatchObject({ status: 200, body: { name: 'neta-gateway', version: expect.any(String), locale: 'en' } });
    expect(JSON.stringify([ready.body, info.body])).not.toContain(MODEL_KEY);
  });

  it('carry safe headers and a request id', async () => {
    const { headers } = await bench.rest.request('GET', '//healthz');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});

/** The OpenAPI document against the running REST door: its routes and the shapes of its answers. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MidwayWebRouterService } from '@midwayjs/core';
import type { TSchema } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { DEMO_TEXTS } from '../../src/adapter/demo/demo_texts';
import { createOpenApi } from '../../src/controller/openapi';
import { ANSWERS, type AnswerName } from '../../src/controller/schemas/answers';
import { EVENT_SCHEMAS, eventSchemaName } from '../../src/controller/schemas/event_schemas';
import { ERRORS } from '../../src/errors';
import { RUN_EVENT_DATA } from '../../src/port/run_event';
import type { Locale } from '../../src/port/store/sessions';
import { ROUTES } from '../../src/routes';
import { type Gateway, startGateway } from '../support/gateway';
import { createRestClient, type RestClient } from '../support/rest_client';

interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  responses: Record<string, { description?: string; $ref?: string; content?: Record<string, { schema: Record<string, unknown> }> }>;
  parameters?: { name: string; in: string; required?: boolean; schema: Record<string, unknown> }[];
}

interface OpenApi {
  openapi: string;
  info: { title: string; version: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Record<string, unknown>> };
  'x-errors': { code: string }[];
}

// Through JSON, as clients get it.
const documentIn = (locale: Locale) => JSON.parse(JSON.stringify(createOpenApi(ROUTES, { version: '1.2.3', locale }))) as OpenApi;
const document = documentIn('en');
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, path, operation })),
);

describe('the OpenAPI document', () => {
  it('names every route that the controllers serve, and no other', async () => {
    const directory = join(__dirname, '../../src');
    const files = readdirSync(directory, { recursive: true, encoding: 'utf8' });
    for (const file of files) if (/(^controller\/\w+_controller|^feature\/.*routes)\.ts$/.test(file)) require(join(directory, file));
    const table = await new MidwayWebRouterService().getFlattenRouterTable();
    const served = table.map(route => `${route.requestMethod} ${join(route.prefix ?? '', String(route.url)).replace(/(.)\/$/, '$1')}`);
    const toOpenApiPath = (route: string) => route.replace(/:(\w+)(\(\.\*\))?/g, '{$1}');
    expect(operations.map(({ name }) => name).sort()).toEqual(served.map(toOpenApiPath).sort());
  });

  it('is OpenAPI 3.1, and every operation has a summary, a known tag, its path parameters and its responses', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d$/);
    expect(document.info).toMatchObject({ title: 'neta-gateway', version: '1.2.3' });
    const tags = document.tags.map(tag => tag.name);
    for (const { path, operation } of operations) {
      expect(operation.summary).not.toBe('');
      expect(operation.tags.every(tag => tags.includes(tag))).toBe(true);
      const inPath = (operation.parameters ?? []).filter(parameter => parameter.in === 'path');
      expect(inPath.map(parameter => `{${parameter.name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
      expect(inPath.every(parameter => parameter.required)).toBe(true);
      expect(Object.keys(operation.responses)).toContain('default');
      const written = Object.values(operation.responses).filter(response => response.$ref === undefined);
      expect(written.filter(response => !response.description)).toEqual([]);
    }
  });

  it('has no broken reference', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference ?? '');
    expect(references.length).toBeGreaterThan(0);
    const follow = (reference: string) =>
      reference
        .slice(2)
        .split('/')
        .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document);
    expect(references.filter(reference => follow(reference) === undefined)).toEqual([]);
  });

  it('lists the whole error table', () => {
    expect(document['x-errors'].map(error => error.code)).toEqual(Object.keys(ERRORS));
  });

  it.each<Locale>(['en', 'zh-CN'])(
    'passes the lint of Redocly in %s, with no warning',
    async locale => {
      const directory = mkdtempSync(join(tmpdir(), 'openapi-'));
      try {
        const file = join(directory, 'openapi.json');
        writeFileSync(file, JSON.stringify(documentIn(locale)));
        expect(await lint(file)).toEqual([]);
      } finally {
        rmSync(directory, { recursive: true });
      }
    },
    60_000,
  );

  it('names every operation once, as a verb and a noun', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter(id => !/^[a-z]+([A-Z][a-z]+)+$/.test(id))).toEqual([]);
  });

  it('calls numbers in queries and headers integers, with their range', () => {
    // The cursor of items and of files is an id, as in OpenAI's API, and so is that of an MCP stream.
    const OF_IDS = ['listInputItems', 'listConversationItems', 'listOpenAiFiles', 'openMcpStream'];
    const own = operations.filter(({ operation }) => !OF_IDS.includes(operation.operationId));
    const parameters = own.flatMap(({ operation }) => operation.parameters ?? []);
    const numbers = parameters.filter(({ name }) => ['limit', 'after', 'last-event-id'].includes(name));
    expect(numbers.length).toBeGreaterThan(7);
    for (const { name, schema } of numbers)
      expect({ name, ...schema }).toMatchObject({ type: 'integer', minimum: name === 'limit' ? 1 : 0 });
    const limit = document.paths['/api/v1/runs/{id}/events']?.['get']?.parameters?.find(({ name }) => name === 'limit');
    expect(limit?.schema).toEqual({ type: 'integer', minimum: 1, maximum: 1_000, default: 500 });
  });

  it('tells events apart by their type: one named schema an event', () => {
    const { oneOf, discriminator } = document.components.schemas['RunEvent'] as {
      oneOf: { $ref: string }[];
      discriminator: { propertyName: string; mapping: Record<string, string> };
    };
    expect(discriminator.propertyName).toBe('type');
    expect(Object.keys(discriminator.mapping)).toEqual(Object.keys(RUN_EVENT_DATA));
    expect(oneOf.map(({ $ref }) => $ref)).toEqual(Object.values(discriminator.mapping));
    expect(document.components.schemas['RunEndEvent']).toMatchObject({
      properties: { type: { const: 'run_end' }, data: { required: ['status', 'text', 'usage'] } },
    });
  });

  it('gives JSON and the event stream of an answer separate content types', () => {
    const { content } = document.paths['/api/v1/runs']?.['post']?.responses['200'] ?? {};
    expect(content?.['application/json']?.schema).toEqual({ $ref: '#/components/schemas/RunResult' });
    expect(content?.['text/event-stream']?.schema).toMatchObject({
      type: 'string',
      contentSchema: { $ref: '#/components/schemas/RunEvent' },
    });
  });

  it('has every text in Chinese too, and differs in nothing else', () => {
    const english = textsOf(document);
    const chinese = textsOf(documentIn('zh-CN'));
    expect([...chinese.keys()]).toEqual([...english.keys()]);
    const untranslated = [...chinese].filter(([, text]) => !/\p{Script=Han}/u.test(text) && text !== 'JSON Schema');
    expect(untranslated).toEqual([]);
    expect([...english].filter(([, text]) => /\p{Script=Han}/u.test(text))).toEqual([]);
    expect(JSON.stringify(document)).not.toMatch(/x-description|x-documented/);
  });
});

describe('an answer of the running gateway', () => {
  let gateway: Gateway;
  let client: RestClient;

  beforeAll(async () => {
    gateway = await startGateway({ files: { 'notes.txt': 'hello world\n' } });
    client = createRestClient(gateway.url);
  });

  afterAll(() => gateway?.stop());

  async function expectAnswer(name: AnswerName, ask: ReturnType<RestClient['request']>): Promise<Record<string, unknown>> {
    const { body } = await ask;
    expectShape(name, body);
    return body as unknown as Record<string, unknown>;
  }

  async function expectEvents(path: string): Promise<void> {
    const { body } = await client.request<{ data: { type: string }[] }>('GET', path);
    expect(body.data.at(-1)?.type).toBe('run_end');
    for (const event of body.data) expectSchema(EVENT_SCHEMAS[eventSchemaName(event.type)]!, event, event.type);
  }

  async function expectPage(name: AnswerName, path: string): Promise<void> {
    const { body } = await client.request<{ data: unknown[] }>('GET', path);
    expect(body.data.length).toBeGreaterThan(0);
    for (const row of body.data) expectShape(name, row);
  }

  it('has the shapes that the document names, field by field', async () => {
    const run = await expectAnswer('RunResult', client.request('POST', '/runs', { input: 'list the files', metadata: { order: 17 } }));
    const asked = await expectAnswer('RunResult', client.request('POST', '/runs', { input: DEMO_TEXTS.en.requests.project }));
    const accepted = client.request('POST', '/runs', { input: 'list the files' }, { prefer: 'respond-async' });
    const { runId } = await expectAnswer('RunAccepted', accepted);
    await expectAnswer('RunResult', client.request('POST', `/runs/${runId}/cancel`));
    await expectAnswer('RunWithResult', client.request('GET', `/runs/${run['runId']}`));
    await expectPage('Run', '/runs');
    await expectEvents(`/runs/${run['runId']}/events`);

    await expectPage('Question', '/clarifications?status=pending');
    const { requestId } = asked['clarification'] as { requestId: string };
    const answered = await expectAnswer('Answered', client.request('POST', `/clarifications/${requestId}`, { answer: 'Blue' }));
    await client.request('POST', `/runs/${answered['runId']}/cancel`);
    const steered = await expectAnswer('SteerAccepted', client.request('POST', `/runs/${runId}/steer`, { text: 'list the files' }));
    await client.request('POST', `/runs/${steered['runId']}/cancel`);

    const session = await expectAnswer('Session', client.request('POST', '/sessions', { title: 'One', metadata: { own: true } }));
    await expectAnswer('Session', client.request('PATCH', `/sessions/${session['id']}`, { thinkingLevel: 'low' }));
    await expectAnswer('Session', client.request('GET', `/sessions/${session['id']}`));
    await expectAnswer('Session', client.request('POST', `/sessions/${session['id']}/fork`, {}));
    await expectPage('Session', '/sessions');
    await expectPage('Message', `/sessions/${run['sessionId']}/messages`);

    await expectPage('Tool', '/tools');
    await expectPage('Toolset', '/toolsets');
    const readFile = { toolName: 'read_file', parameters: { path: 'notes.txt' } };
    await expectAnswer('ToolCallResult', client.request('POST', '/tools/call', readFile));
    await expectAnswer('ToolCallResult', client.request('POST', '/tools/call', { ...readFile, parameters: { path: 'no.txt' } }));
    await expectPage('ToolExecution', '/tool-executions');

    await expectAnswer('Info', client.request('GET', '/info'));
    await expectAnswer('Alive', client.request('GET', '//healthz'));
    await expectAnswer('Ready', client.request('GET', '//readyz'));
    await expectAnswer('Error', client.request('GET', '/runs/run_none'));
    await expectAnswer('Error', client.request('POST', '/runs', { input: 'x', odd: 1 }));
  });

  it('is described by the document that it serves itself', async () => {
    const { body } = await client.request<OpenApi>('GET', '//openapi.json');
    expect(body.paths).toEqual(document.paths);
  });

  it('is described in Chinese when ?lang=zh-CN asks for it; another language is refused', async () => {
    const { body } = await client.request<OpenApi>('GET', '//openapi.json?lang=zh-CN');
    expect(body.paths).toEqual(documentIn('zh-CN').paths);
    const refused = await client.request<{ error: { code: string; param: string } }>('GET', '//openapi.json?lang=fr');
    expect(refused.body.error).toMatchObject({ code: 'invalid_request', param: '/lang' });
  });
});

interface LintResult {
  problems: { ruleId: string; message: string; severity: string }[];
}

/** Returns the problems that Redocly finds with its recommended rules, without network access. */
async function lint(file: string): Promise<LintResult['problems']> {
  const redocly = require.resolve('@redocly/cli/bin/cli.js');
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  // Redocly exits with 1 when it finds errors; the output lists them in any case.
  const run = promisify(execFile)(process.execPath, [redocly, 'lint', file, '--format=json'], { env });
  const { stdout } = await run.catch((failure: { stdout: string }) => failure);
  return (JSON.parse(stdout) as LintResult).problems;
}

/** Maps the place of each summary, description and error text to the text. */
function textsOf(value: unknown, place = ''): Map<string, string> {
  if (typeof value !== 'object' || value === null) return new Map();
  return new Map(
    Object.entries(value).flatMap(([key, entry]): [string, string][] => {
      if (key === 'examples') return [];
      if (['summary', 'description', 'text'].includes(key) && typeof entry === 'string') return [[`${place}/${key}`, entry]];
      return [...textsOf(entry, `${place}/${key}`)];
    }),
  );
}

/** Fails when a field is missing, of another type, or not in the document. */
function expectShape(name: AnswerName, value: unknown): void {
  expectSchema(ANSWERS[name], value, name);
}

function expectSchema(schema: TSchema, value: unknown, name: string): void {
  const problems = [...TypeCompiler.Compile(schema).Errors(value)].map(({ path, message }) => `${path}: ${message}`);
  // Drop `format`: TypeBox knows no formats of its own.
  expect(problems.filter(problem => !problem.includes('Unknown format'))).toEqual([]);
  expect(undocumented(schema, value, name)).toEqual([]);
}

function undocumented(schema: TSchema, value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item, i) => undocumented(schema['items'] as TSchema, item, `${path}/${i}`));
  const properties = schema['properties'] as Record<string, TSchema> | undefined;
  if (!properties || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]) =>
    properties[key] ? undocumented(properties[key], entry, `${path}/${key}`) : [`${path}/${key}`],
  );
}

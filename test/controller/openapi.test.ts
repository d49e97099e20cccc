/** The OpenAPI document says what the REST door really does: its routes, and the shape of what it answers. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { MidwayWebRouterService } from '@midwayjs/core';
import type { TSchema } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { DEMO_TEXTS } from '../../src/adapter/demo/demo_texts';
import { createOpenApi } from '../../src/controller/openapi';
import { ANSWERS, type AnswerName } from '../../src/controller/openapi_answers';
import { ERRORS } from '../../src/errors';
import { type Gateway, startGateway } from '../support/gateway';
import { createRestClient, type RestClient } from '../support/rest_client';

interface Operation {
  tags: string[];
  summary: string;
  responses: Record<string, { description: string }>;
  parameters?: { name: string; in: string; required?: boolean }[];
}

interface OpenApi {
  openapi: string;
  info: { title: string; version: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  'x-errors': { code: string }[];
}

// Through JSON, as every reader gets it.
const document = JSON.parse(JSON.stringify(createOpenApi('1.2.3'))) as OpenApi;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, path, operation })),
);

describe('the OpenAPI document', () => {
  it('names every route that the controllers serve, and no other', async () => {
    const directory = join(__dirname, '../../src/controller');
    for (const file of readdirSync(directory)) if (file.endsWith('_controller.ts')) require(join(directory, file));
    const table = await new MidwayWebRouterService().getFlattenRouterTable();
    const served = table.map(route => `${route.requestMethod} ${join(route.prefix ?? '', String(route.url)).replace(/(.)\/$/, '$1')}`);
    const toOpenApiPath = (route: string) => route.replace(/:(\w+)/g, '{$1}');
    expect(operations.map(({ name }) => name).sort()).toEqual(served.map(toOpenApiPath).sort());
  });

  it('is OpenAPI 3.1: version, info, paths, and for every operation a summary, a known tag, its path parameters and its responses', () => {
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
      expect(Object.values(operation.responses).every(response => response.description !== '')).toBe(true);
    }
  });

  it('has only references that lead somewhere', () => {
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
});

describe('what the running gateway answers', () => {
  let gateway: Gateway;
  let client: RestClient;

  beforeAll(async () => {
    gateway = await startGateway({ files: { 'notes.txt': 'hello world\n' } });
    client = createRestClient(gateway.url);
  }, 30_000);

  afterAll(() => gateway?.stop());

  async function expectAnswer(name: AnswerName, ask: ReturnType<RestClient['request']>): Promise<Record<string, unknown>> {
    const { body } = await ask;
    expectShape(name, body);
    return body as unknown as Record<string, unknown>;
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
    await expectPage('RunEvent', `/runs/${run['runId']}/events`);

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
});

/** Fails when a field is missing, of another type, or not in the document. */
function expectShape(name: AnswerName, value: unknown): void {
  const problems = [...TypeCompiler.Compile(ANSWERS[name] as TSchema).Errors(value)].map(({ path, message }) => `${path}: ${message}`);
  // `format` tells people what a time looks like; TypeBox knows no formats of its own.
  expect(problems.filter(problem => !problem.includes('Unknown format'))).toEqual([]);
  expect(undocumented(ANSWERS[name], value, name)).toEqual([]);
}

function undocumented(schema: TSchema, value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item, i) => undocumented(schema['items'] as TSchema, item, `${path}/${i}`));
  const properties = schema['properties'] as Record<string, TSchema> | undefined;
  if (!properties || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]) =>
    properties[key] ? undocumented(properties[key], entry, `${path}/${key}`) : [`${path}/${key}`],
  );
}

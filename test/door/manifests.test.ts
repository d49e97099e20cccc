/** Tools from manifests: read from the configuration directory, run in processes of their own, read again when their files change. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentBench, startBench } from '../support/agent_bench';
import { type AgentConfig, createAgentConfig } from '../support/agent_config';
import { itWithPython, manifestText, writeConfigFiles } from '../support/manifest_config';
import type { PageBody } from '../support/rest_client';
import { describeSandboxes, itInSandbox } from '../support/sandbox_table';

interface ToolRow {
  name: string;
  toolset: string;
  origin: string;
  label: string;
  description: string;
  effect: string;
  enabled: boolean;
  problems?: string[];
}

interface CallBody {
  status: string;
  message: string;
  error: string | null;
}

const GREETER = `name: greeter
display_name: Greeter
description: Greets people.
author: Tests
version: "1.2.3"
type: sync
runtime: javascript
entry: main.mjs
timeout: 20000
config_schema:
  api_key: { type: string, required: true, description: The key of the service. }
  punctuation: { type: string, default: "!" }
tags: [greeting, polite]
commands:
  - name: hello
    description: Says hello to one person.
    parameters:
      type: object
      properties:
        name: { type: string }
        word: { type: string, default: Hello }
    required: [name]
    example: '{"name": "Ann"}'
    effect: read
  - name: bytes
    description: Returns two bytes.
`;

const GREETER_ENTRY = `import { answer, serve } from 'neta_tool';
serve({
  hello({ name, word }, { settings, context, progress }) {
    progress('writing');
    console.log('noise with ' + settings.api_key);
    if (name === 'nobody') throw new Error('There is nobody, and the key is ' + settings.api_key);
    return { text: word + ' ' + name + settings.punctuation, locale: context.locale, key: settings.api_key };
  },
  bytes: () => answer({ message: 'Two bytes.', data: Buffer.from([0, 255]) }),
});
`;

const KEY = 'tool-s3cret-key';

/** Writes its key as many JSON encoders do. */
const ESCAPER = `#!/bin/sh
read line
printf '%s\\n' '{"status":"success","result":["open/s3same"],"message":"it is open\\/s3same or open\\u002fs3same"}'
`;

let config: AgentConfig;
let bench: AgentBench;

beforeAll(async () => {
  config = await createAgentConfig(['base', 'greeter']);
  await writeConfigFiles(config.directory, {
    'tools/greeter/main.mjs': GREETER_ENTRY,
    'tools/greeter/manifest.yaml': GREETER,
    'tool-settings/greeter.yaml': `api_key: ${KEY}\n`,
    'tools/broken.yaml': manifestText('broken', 'x.mjs', 'runtime: javascript\ntimeout: soon').replace('display_name: Tool broken', ''),
    'tools/torn.yaml': 'name: torn\nentry: "never closed\n',
    'tools/later.yaml': manifestText('later', 'later.sh', 'runtime: native'),
    'tools/read_file.yaml': manifestText('read_file', 'mirror.cjs', 'runtime: javascript'),
    'tools/escaper.yaml': manifestText('escaper', 'escaper.sh', 'runtime: native\nconfig_schema: { key: { type: string } }'),
    'tools/escaper.sh': ESCAPER,
    'tool-settings/escaper.yaml': 'key: open/s3same\n',
    'tools/mirror.yaml': manifestText('mirror', 'mirror.cjs', 'runtime: javascript'),
    'tools/mirror.cjs': "require('neta_tool').serve((_, { context }) => context);\n",
    'tools/later.sh': '#!/bin/sh\nread line\necho \'{"status":"success","result":"first"}\'\n',
  });
  bench = await startBench({ env: { NETA_CONFIG_DIR: config.directory } });
});
afterAll(async () => {
  await bench?.stop();
  await config?.remove();
});

const listRows = async (of = bench) => (await of.rest.request<PageBody<ToolRow>>('GET', '/tools')).body.data;
const findRow = async (name: string) => (await listRows()).find(row => row.name === name);
const callTool = async (toolName: string, parameters: Record<string, unknown> = {}, of = bench) =>
  (await of.rest.request<CallBody>('POST', '/tools/call', { toolName, parameters })).body;
const readWarnings = async () => (await bench.rest.request<{ warnings: string[] }>('GET', '//readyz')).body.warnings;

/** Repeats `look` until it is true; a change must be there within a second. */
async function within(look: () => Promise<boolean>, limitMs = 5_000): Promise<number> {
  const started = performance.now();
  while (!(await look())) {
    if (performance.now() - started > limitMs) throw new Error('the change did not arrive');
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  return performance.now() - started;
}

describe('jarvis.manifest: a manifest', () => {
  it('makes one tool for each command, with its texts, effect and parameters', async () => {
    const rows = (await listRows()).filter(({ toolset }) => toolset === 'greeter');
    expect(rows).toMatchObject([
      { name: 'greeter__hello', origin: 'manifest', label: 'Greeter: hello', effect: 'read', enabled: true },
      { name: 'greeter__bytes', origin: 'manifest', description: 'Returns two bytes.', effect: 'external', enabled: true },
    ]);
    expect(rows[0]).toMatchObject({ parameters: { required: ['name'], additionalProperties: false } });
    expect(rows[0]).toMatchObject({
      manifest: { version: '1.2.3', author: 'Tests', type: 'sync', runtime: 'javascript', tags: ['greeting', 'polite'], dependencies: [] },
    });
  });

  it('with one command has a tool of its own name', async () => {
    expect(await callTool('later', { text: 'x' })).toMatchObject({ status: 'success', message: 'first' });
  });

  it('with one command and the name of a built-in tool has both names', async () => {
    expect(await findRow('read_file__run')).toMatchObject({ enabled: true, origin: 'manifest' });
    expect((await listRows()).filter(({ name }) => name === 'read_file')).toHaveLength(1);
  });

  it('gets the context of the caller, who cannot replace what the gateway says', async () => {
    const context = { colour: 'red', tenantId: 'other', sessionId: 'ses_forged', runId: 'run_forged', toolCallId: 'x', workspace: '/' };
    const body = { toolName: 'mirror', parameters: { text: '' }, context };
    const answer = await bench.rest.request<{ result: unknown }>('POST', '/tools/call', body);
    expect(answer.body.result).toEqual({
      colour: 'red',
      tenantId: 'default',
      toolCallId: expect.stringMatching(/^exe_/),
      locale: 'en',
      workspace: bench.gateway.workspace,
    });
  });

  it('runs in a chat, with progress while it works', async () => {
    bench.model.onTurn('greet Ann', { toolCalls: [{ name: 'greeter__hello', arguments: { name: 'Ann' } }] }, 'Done.');
    const client = await bench.connect();
    const { runId } = await client.chat('greet Ann');
    expect((await client.endOf(runId)).data.status).toBe('completed');
    const events = client.eventsOf(runId);
    expect(events.find(({ type }) => type === 'tool_call_delta')?.data).toMatchObject({ output: 'writing\n' });
    expect(events.find(({ type }) => type === 'tool_call_end')?.data).toMatchObject({
      ok: true,
      result: expect.stringContaining('Hello Ann!'),
    });
  });

  it('runs in a REST run, and its error is a result', async () => {
    bench.model.onTurn('greet nobody', { toolCalls: [{ name: 'greeter__hello', arguments: { name: 'nobody' } }] }, request =>
      String(request.toolResults.at(-1)),
    );
    const { body } = await bench.rest.run({ input: 'greet nobody' });
    expect(body.text).toBe('There is nobody, and the key is [secret]');
  });

  it('is refused with the parameter when the arguments are not valid', async () => {
    const { error } = await callTool('greeter__hello', { name: 'Ann', wrod: 'Hi' });
    expect(error).toContain('wrod: is no parameter of this tool; it has name, word');
  });
});

describe('jarvis.manifest: a manifest that depends on another tool', () => {
  it('is disabled with the reason while that tool is missing', async () => {
    const more = 'runtime: native\ndependencies: [read_file, helper]';
    await writeConfigFiles(config.directory, { 'tools/needs.yaml': manifestText('needs', 'later.sh', more) });
    await within(async () => (await findRow('needs')) !== undefined);
    expect(await findRow('needs')).toMatchObject({ enabled: false, problems: ['tools/needs.yaml:/dependencies: there is no tool helper'] });
    await writeConfigFiles(config.directory, { 'tools/helper.yaml': manifestText('helper', 'later.sh', 'runtime: native') });
    await within(async () => (await findRow('needs'))?.enabled === true);
  });

  it('is disabled while the manifest turns itself off', async () => {
    await writeConfigFiles(config.directory, {
      'tools/helper.yaml': manifestText('helper', 'later.sh', 'runtime: native\nenabled: false'),
    });
    await within(async () => (await findRow('needs'))?.enabled === false);
    expect(await findRow('helper')).toMatchObject({ enabled: false, problems: ['tools/helper.yaml turns it off'] });
    expect((await readWarnings()).join()).not.toContain('helper.yaml');
  });
});

describe('jarvis.validate: a bad manifest', () => {
  it('is a row with file, line and field, a warning and a log line, and the others work', async () => {
    const problems = ['tools/broken.yaml:1:/display_name: is required', 'tools/broken.yaml:6:/timeout: must be integer'];
    expect(await findRow('broken')).toMatchObject({ origin: 'manifest', enabled: false, problems });
    expect(await readWarnings()).toEqual(expect.arrayContaining(problems.map(problem => `${problem}.`)));
    for (const problem of problems) expect(bench.gateway.output()).toContain(problem);
    expect((await findRow('torn'))?.problems?.[0]).toMatch(/^tools\/torn\.yaml:\d+:\/: /);
    expect((await findRow('greeter__hello'))?.enabled).toBe(true);
  });

  it('is there within a second once it is mended, and stays as it was after an invalid change', async () => {
    await writeConfigFiles(config.directory, { 'tools/late.sh': '#!/bin/sh\nread line\necho \'{"status":"success","result":"late"}\'\n' });
    await writeConfigFiles(config.directory, { 'tools/late.yaml': manifestText('late', 'late.sh', 'runtime: native') });
    expect(await within(async () => (await findRow('late'))?.enabled === true)).toBeLessThan(1_000);
    await writeConfigFiles(config.directory, { 'tools/late.yaml': manifestText('late', 'late.sh', 'runtime: cobol') });
    await within(async () => (await readWarnings()).some(text => text.startsWith('tools/late.yaml:5:/runtime: ')));
    expect(await readWarnings()).toContainEqual(expect.stringContaining('The version from before stays in use.'));
    expect(await callTool('late', { text: 'x' })).toMatchObject({ status: 'success', message: 'late' });
    await rm(join(config.directory, 'tools/late.yaml'));
    await within(async () => (await findRow('late')) === undefined);
  });
});

describe('jarvis.runtimes: an entry or a runtime that is missing', () => {
  it('disables the tool with the reason', async () => {
    await writeConfigFiles(config.directory, {
      'tools/lost.yaml': manifestText('lost', 'lost.mjs', 'runtime: javascript'),
      'tools/outside.yaml': manifestText('outside', '../agents/default.yaml', 'runtime: native'),
      'tools/nowhere.yaml': manifestText('nowhere', 'no-such-command-9', 'runtime: native'),
    });
    await within(async () => (await findRow('nowhere')) !== undefined);
    expect(await findRow('lost')).toMatchObject({ enabled: false, problems: ['tools/lost.yaml:4:/entry: there is no file lost.mjs'] });
    expect((await findRow('outside'))?.problems).toEqual(['tools/outside.yaml:4:/entry: must stay inside the folder tools']);
    expect((await findRow('nowhere'))?.problems?.[0]).toContain('no such command on PATH');
  });

  it('python3 that is missing disables Python tools alone', async () => {
    const own = await startBench({ env: { NETA_CONFIG_DIR: config.directory, PATH: '/nowhere', NETA_SANDBOX: 'none' } });
    await writeConfigFiles(config.directory, { 'tools/snake.py': '\n', 'tools/snake.yaml': manifestText('snake', 'snake.py') });
    await within(async () => (await listRows(own)).some(({ name }) => name === 'snake'));
    const rows = await listRows(own);
    expect(rows.find(({ name }) => name === 'snake')?.problems?.[0]).toContain(':/runtime: python3 is not installed');
    expect(rows.find(({ name }) => name === 'greeter__hello')?.enabled).toBe(true);
    await own.stop();
  });
});

describe('jarvis.settings: the settings of a tool', () => {
  it('reach its process with defaults, and never the model, the caller or the log', async () => {
    const { message } = await callTool('greeter__hello', { name: 'Ann', word: 'Bye' });
    expect(JSON.parse(message)).toEqual({ text: 'Bye Ann!', locale: 'en', key: '[secret]' });
    expect(bench.gateway.output()).toContain('noise with [secret]');
    expect(bench.gateway.output()).not.toContain(KEY);
    expect(JSON.stringify(await listRows())).not.toContain(KEY);
  });

  it('are secret in every form that JSON has', async () => {
    const { body } = await bench.rest.request('POST', '/tools/call', { toolName: 'escaper', parameters: { text: '' } });
    expect(body).toMatchObject({ status: 'success', result: ['[secret]'], message: 'it is [secret] or [secret]' });
  });

  it('change without a restart, and an invalid change is named without its value', async () => {
    await writeConfigFiles(config.directory, { 'tool-settings/greeter.yaml': `api_key: ${KEY}\npunctuation: "?"\n` });
    await within(async () => (await callTool('greeter__hello', { name: 'Ann' })).message.includes('Hello Ann?'));
    await writeConfigFiles(config.directory, { 'tool-settings/greeter.yaml': `api_key: ${KEY}\npunctuation: [7777]\n` });
    await within(async () =>
      (await readWarnings()).some(text => text.startsWith('tool-settings/greeter.yaml:2:/punctuation: must be string')),
    );
    expect((await readWarnings()).join()).not.toMatch(/7777|s3cret/);
    await writeConfigFiles(config.directory, { 'tool-settings/greeter.yaml': `api_key: x\n- ${KEY}\n` });
    await within(async () => (await readWarnings()).some(text => /^tool-settings\/greeter.yaml:\d:\/: cannot be read as YAML/.test(text)));
    expect(bench.gateway.output() + (await readWarnings()).join()).not.toContain(KEY);
    expect((await callTool('greeter__hello', { name: 'Ann' })).message).toContain('Hello Ann?');
  });

  it('that are required and missing disable the tool with the reason', async () => {
    await writeConfigFiles(config.directory, {
      'tools/needy.yaml': manifestText('needy', 'later.sh', 'runtime: native\nconfig_schema:\n  token: { type: string, required: true }'),
    });
    await within(async () => (await findRow('needy')) !== undefined);
    expect(await findRow('needy')).toMatchObject({
      enabled: false,
      problems: [expect.stringContaining('tool-settings/needy.yaml:/token: is required')],
    });
  });
});

const ECHO_ENTRIES = {
  'tools/lib.cjs': "exports.shout = text => text.toUpperCase() + '!';\n",
  'tools/js.cjs': "const { serve } = require('neta_tool');\nserve(({ text }) => require('./lib.cjs').shout(text));\n",
  'tools/js.yaml': manifestText('js', 'js.cjs', 'runtime: javascript'),
  'tools/py/main.py': 'from neta_tool import serve\nfrom shout import shout\nserve(lambda parameters, call: shout(parameters["text"]))\n',
  'tools/py/shout.py': 'def shout(text):\n    return text.upper() + "!"\n',
  'tools/py/manifest.yaml': manifestText('py', 'main.py'),
  'tools/nat.sh':
    '#!/bin/sh\nread line\ntext=$(printf %s "$line" | sed \'s/.*"text":"\\([^"]*\\)".*/\\1/\' | tr a-z A-Z)\necho "{\\"status\\":\\"success\\",\\"result\\":\\"$text$1\\"}"\n',
  'tools/nat.yaml': manifestText('nat', 'nat.sh', 'runtime: native\nargs: ["!"]'),
  'tools/path.yaml': manifestText(
    'path',
    'sh',
    `runtime: native\nargs: ["-c", 'read line; echo "{\\"status\\":\\"success\\",\\"result\\":\\"from PATH\\"}"']`,
  ),
};

describeSandboxes('jarvis.runtimes: entries in processes of their own', ['none', 'bubblewrap', 'namespaces'], kind => {
  let own: AgentBench;
  let ownConfig: AgentConfig;
  beforeAll(async () => {
    ownConfig = await createAgentConfig(['base']);
    await writeConfigFiles(ownConfig.directory, ECHO_ENTRIES);
    own = await startBench({ env: { NETA_CONFIG_DIR: ownConfig.directory, NETA_SANDBOX: kind } });
  });
  afterAll(async () => {
    await own?.stop();
    await ownConfig?.remove();
  });

  it.each(['js', 'nat'])('%s really runs', async name => {
    expect(await callTool(name, { text: 'hey' }, own)).toMatchObject({ status: 'success', message: 'HEY!' });
  });

  itWithPython('py really runs', async () => {
    expect(await callTool('py', { text: 'hey' }, own)).toMatchObject({ status: 'success', message: 'HEY!' });
  });

  it('a command of PATH really runs', async () => {
    expect(await callTool('path', { text: 'hey' }, own)).toMatchObject({ status: 'success', message: 'from PATH' });
  });
});

itInSandbox('jarvis.runtimes: a tool sees its folder and the workspace, no other configuration and no network', async () => {
  await writeConfigFiles(config.directory, {
    'tools/spy/main.mjs': `import { readFileSync, readdirSync } from 'node:fs';
import { serve } from 'neta_tool';
const attempt = work => { try { return work(); } catch (error) { return error.code; } };
serve(async ({ text }, { context }) => ({
  settings: attempt(() => readFileSync(text + '/tool-settings/greeter.yaml', 'utf8')),
  agents: attempt(() => readdirSync(text + '/agents')),
  others: attempt(() => readdirSync(text + '/tools')),
  workspace: attempt(() => readdirSync(context.workspace)),
  own: attempt(() => readdirSync(text + '/tools/spy')),
  door: await fetch('${bench.gateway.url}/healthz').then(() => 'open', () => 'closed'),
  secrets: JSON.stringify(process.env).includes('5ecret'),
}));
`,
    'tools/spy/manifest.yaml': manifestText('spy', 'main.mjs', 'runtime: javascript'),
  });
  await within(async () => (await findRow('spy'))?.enabled === true);
  const { message } = await callTool('spy', { text: config.directory });
  expect(JSON.parse(message)).toEqual({
    settings: 'ENOENT',
    agents: 'ENOENT',
    others: ['spy'],
    workspace: [],
    own: ['main.mjs', 'manifest.yaml'],
    door: 'closed',
    secrets: false,
  });
});

const FETCHER = "const { serve } = require('neta_tool');\nserve(({ text }) => fetch(text).then(answer => answer.text()));\n";

itInSandbox(
  'jarvis.runtimes: a tool has the network only when its manifest asks for it, and never reaches the doors of the gateway',
  async () => {
    const site = createServer((_request, response) => response.end('hello from the network'));
    await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
    await writeConfigFiles(config.directory, {
      'tools/net.cjs': FETCHER,
      'tools/online.yaml': manifestText('online', 'net.cjs', 'runtime: javascript\nnetwork: true'),
      'tools/offline.yaml': manifestText('offline', 'net.cjs', 'runtime: javascript'),
    });
    await within(async () => (await findRow('online'))?.enabled === true);
    expect((await callTool('offline', { text: address })).status).toBe('error');
    const { status, message } = await callTool('online', { text: address });
    expect(status).toBe('success');
    // Texts from the network are framed as data.
    expect(message).toMatch(/<untrusted_web_content source="online">\nhello from the network/);
    expect((await callTool('online', { text: `${bench.gateway.url}/api/v1/info` })).message).toContain(
      'may not use the gateway it runs in',
    );
    site.close();
  },
);

itInSandbox('jarvis.settings: a setting with access gives a tool the directories that it lists', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'neta-shared-'));
  await writeFile(join(directory, 'note.txt'), 'shared');
  const field = 'config_schema:\n  folders: { type: string, access: read, default: "" }';
  await writeConfigFiles(config.directory, {
    'tools/reader.cjs':
      "const { serve } = require('neta_tool'); const fs = require('fs');\nserve(({ text }) => { try { fs.writeFileSync(text + '.new', ''); } catch (error) { return error.code + ' ' + fs.readFileSync(text, 'utf8'); } });\n",
    'tools/reader.yaml': manifestText('reader', 'reader.cjs', `runtime: javascript\n${field}`),
  });
  await within(async () => (await findRow('reader'))?.enabled === true);
  expect((await callTool('reader', { text: `${directory}/note.txt` })).error).toContain('ENOENT');
  await writeConfigFiles(config.directory, { 'tool-settings/reader.yaml': `folders: ${directory}\n` });
  await within(async () => (await callTool('reader', { text: `${directory}/note.txt` })).message === 'EROFS shared');
  await writeConfigFiles(config.directory, { 'tool-settings/reader.yaml': `folders: ${bench.gateway.dataDir}\n` });
  await within(async () => (await readWarnings()).some(text => text.includes('holds the settings or the data of the gateway')));
  expect((await readWarnings()).join()).not.toContain(bench.gateway.dataDir);
  await rm(directory, { recursive: true });
});

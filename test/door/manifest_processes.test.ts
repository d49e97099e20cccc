/** Processes of manifest tools that misbehave, services that live on between calls, and what is left after a stop or a crash. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findProcesses } from '../fault/processes';
import { type AgentBench, startBench } from '../support/agent_bench';
import { type AgentConfig, createAgentConfig } from '../support/agent_config';
import { manifestText, writeConfigFiles } from '../support/manifest_config';
import { SANDBOXES } from '../support/missing_sandboxes';
import type { PageBody } from '../support/rest_client';
import { describeSandboxes } from '../support/sandbox_table';
import { until } from '../support/until';

interface CallBody {
  status: string;
  message: string;
  error: string | null;
  errorCode?: string;
}

let next = 9_100_000 + process.pid;
/** A unique word by which the test finds a process. */
const uniqueWord = () => `manifest-${next++}`;

const [HANG, CHILD, PULSE] = [uniqueWord(), uniqueWord(), uniqueWord()];

const native = (name: string, script: string, more = '') => ({
  [`tools/${name}.yaml`]: manifestText(name, `${name}.sh`, `runtime: native\n${more}`),
  [`tools/${name}.sh`]: `#!/bin/sh\nread line\n${script}\n`,
});
const javascript = (name: string, body: string, more = '') => ({
  [`tools/${name}.yaml`]: manifestText(name, `${name}.cjs`, `runtime: javascript\n${more}`),
  [`tools/${name}.cjs`]: `${body}\n`,
});

/** Starts a process that the test finds by the word. */
const spawnSleep = (word: string) => `require('child_process').spawn('sleep', ['1000'], { argv0: '${word}' });`;

const FILES = {
  ...javascript('hanging', `${spawnSleep(HANG)} setInterval(() => {}, 1000);`, 'timeout: 700'),
  ...javascript(
    'forks',
    `require('child_process').spawn('/bin/sh', ['-c', 'sleep 1000 & wait', '${CHILD}'], { detached: true, stdio: 'ignore' }).unref();
process.stdout.write('{"status":"success","result":"left a child"}\\n', () => process.exit());`,
  ),
  ...javascript(
    'floods',
    "const line = 'y'.repeat(1000) + '\\n'; const write = () => { while (process.stdout.write(line)); process.stdout.once('drain', write); }; write();",
  ),
  ...javascript('greedy', 'const kept = []; setInterval(() => kept.push(Buffer.alloc(8e6, 1)), 5);', 'memory_mb: 160'),
  ...javascript(
    'bulky',
    `const { answer, serve } = require('neta_tool');
serve(({ text }) => (text === 'lists' ? Array(1_500_000).fill([]) : answer({ message: 'bulk', data: Buffer.alloc(10_000_000, 7) })));`,
  ),
  ...javascript(
    'chatty',
    "const { serve } = require('neta_tool'); serve((_, { progress }) => { for (let i = 0; i < 5_000; i++) progress(i); return 'said'; });",
  ),
  ...native('dies', 'echo its last words >&2; exit 3'),
  ...native('babbles', 'echo "{not json"; echo hello; echo "[1, 2]"'),
  ...native('wrong', 'echo \'{"status":"maybe","result":1}\''),
  ...native('deaf', 'echo \'{"status":"success","result":"did not listen"}\''),
  ...native(
    'many',
    'echo \'{"progress":"one"}\'; echo text; echo \'{"status":"error","error":"no"}\'; echo \'{"status":"success","result":"the last"}\'',
  ),
  ...javascript(
    'pulse',
    `const { serve } = require('neta_tool'); let calls = 0; const start = Math.random();
serve(({ text }) => { calls += 1; if (text === 'die') process.exit(5); if (text === 'hang') return new Promise(() => {}); return text + ' ' + calls + ' ' + start; });`,
    'type: service',
  ),
  ...javascript('mute', `${spawnSleep(PULSE)} setInterval(() => {}, 1000);`, 'type: service'),
  ...javascript(
    'slow',
    "const { serve } = require('neta_tool'); serve(() => new Promise(resolve => setTimeout(resolve, 300, 'late')));",
    'type: async',
  ),
};

let config: AgentConfig;
let bench: AgentBench;

beforeAll(async () => {
  config = await createAgentConfig(['base', 'hanging', 'chatty']);
  await writeConfigFiles(config.directory, FILES);
  bench = await startBench({ env: { NETA_CONFIG_DIR: config.directory } });
});
afterAll(async () => {
  await bench?.stop();
  await config?.remove();
});

const callTool = async (toolName: string, text = 'x', more: Record<string, unknown> = {}) =>
  (await bench.rest.request<CallBody>('POST', '/tools/call', { toolName, parameters: { text }, ...more })).body;
const readWarnings = async () => (await bench.rest.request<{ warnings: string[] }>('GET', '//readyz')).body.warnings;
const isGone = async (word: string) => (await findProcesses(word)).length === 0;

describe('jarvis.runtimes: a process that', () => {
  it('never answers is ended with its children after the timeout of the manifest', async () => {
    const body = await callTool('hanging');
    expect(body).toMatchObject({ status: 'error', errorCode: 'tool_timeout' });
    expect(await isGone(HANG)).toBe(true);
  });

  it('never answers is ended when the run is cancelled', async () => {
    await writeConfigFiles(config.directory, javascript('hanging', FILES['tools/hanging.cjs'] ?? '', 'timeout: 60000'));
    const client = await bench.connect();
    bench.model.onTurn('hang for long', { toolCalls: [{ name: 'hanging', arguments: { text: 'x' } }] }, 'Never said.');
    const { runId } = await client.chat('hang for long');
    await until(async () => !(await isGone(HANG)));
    await client.send({ type: 'cancel', runId });
    expect((await client.endOf(runId)).data.status).toBe('cancelled');
    await until(() => isGone(HANG));
  });

  it('leaves a child behind answers, and the child is ended', async () => {
    expect(await callTool('forks')).toMatchObject({ status: 'success', message: 'left a child' });
    expect(await isGone(CHILD)).toBe(true);
  });

  it('floods stdout is ended, and the gateway stays quick', async () => {
    const flood = callTool('floods');
    const started = performance.now();
    expect((await bench.rest.request('GET', '//healthz')).status).toBe(200);
    // Without the limits of the reader, the answer waits for 16 MiB of output.
    expect(performance.now() - started).toBeLessThan(3_000);
    expect(await flood).toMatchObject({ status: 'error', error: expect.stringContaining('wrote more than 16 MiB') });
  });

  it('answers with 10 MB of bytes is understood, and one with 3 MB of JSON is refused', async () => {
    const { base64 } = (await callTool('bulky')) as CallBody & { base64: string };
    expect(Buffer.from(base64, 'base64').equals(Buffer.alloc(10_000_000, 7))).toBe(true);
    expect((await callTool('bulky', 'lists')).error).toContain('its answer has more than 1 MiB besides base64');
  });

  it('reports progress without end streams 2,000 lines of it', async () => {
    bench.model.onTurn('talk', { toolCalls: [{ name: 'chatty', arguments: { text: 'x' } }] }, 'Done.');
    const client = await bench.connect();
    const { runId } = await client.chat('talk');
    await client.endOf(runId);
    const output = client.eventsOf(runId).flatMap(event => (event.type === 'tool_call_delta' ? [event.data.output] : []));
    expect(output.join('').trim().split('\n')).toHaveLength(2_000);
  });

  it('takes more memory than its manifest allows is ended', async () => {
    const { status, error } = await callTool('greedy');
    expect(status).toBe('error');
    // The kernel can refuse the memory before the gateway has measured it.
    expect(error).toMatch(/used more than 160 MiB of memory|without an answer/);
  });

  it('dies without an answer is an error with its exit code, and its words are in the log only', async () => {
    const { error } = await callTool('dies');
    expect(error).toBe('dies ended with exit code 3 without an answer. Part of its work may be done already.');
    await until(async () => bench.gateway.output().includes('its last words'));
  });

  it.each([
    ['babbles', 'ended with exit code 0 without an answer'],
    ['wrong', 'gave no usable answer: the field status of its answer is missing or not valid'],
  ])('%s instead of answering is an error', async (name, reason) => {
    expect((await callTool(name)).error).toContain(reason);
  });

  it('answers several times is understood by its last answer', async () => {
    expect(await callTool('many')).toMatchObject({ status: 'success', message: 'the last' });
  });

  it('does not read a long request answers all the same', async () => {
    expect(await callTool('deaf', 'x'.repeat(500_000))).toMatchObject({ status: 'success', message: 'did not listen' });
  });

  it('of the type async takes its time', async () => {
    expect(await callTool('slow')).toMatchObject({ status: 'success', message: 'late' });
  });
});

describe('jarvis.runtimes: a service', () => {
  const pulse = async (text: string) => (await callTool('pulse', text)).message;

  it('stays alive between calls and answers calls at the same time', async () => {
    await until(async () => (await callTool('pulse', 'warm')).status === 'success');
    const answers = await Promise.all(['a', 'b', 'c'].map(pulse));
    const starts = new Set(answers.map(text => text.split(' ')[2]));
    expect(starts.size).toBe(1);
    expect(answers.map(text => text.split(' ')[0])).toEqual(['a', 'b', 'c']);
    expect(new Set(answers.map(text => text.split(' ')[1])).size).toBe(3);
  });

  it('that dies fails its call with the reason, says so in readyz, and starts again', async () => {
    const [, , before] = (await pulse('before')).split(' ');
    expect(await callTool('pulse', 'die')).toMatchObject({
      status: 'error',
      error: expect.stringContaining('ended with exit code 5 without an answer'),
    });
    expect(await readWarnings()).toContainEqual(expect.stringContaining('The service pulse: its process ended with exit code 5'));
    await until(async () => (await callTool('pulse', 'again')).status === 'success');
    expect((await pulse('after')).split(' ')[2]).not.toBe(before);
    expect((await readWarnings()).join()).not.toContain('pulse');
  });

  it('whose call takes too long keeps its other calls', async () => {
    expect(await callTool('pulse', 'hang', { timeout: 300 })).toMatchObject({ status: 'error', errorCode: 'tool_timeout' });
    expect(await pulse('next')).toContain('next');
  });

  it('that never gets ready answers with the reason', async () => {
    expect((await callTool('mute', 'x', { timeout: 500 })).error).toContain('mute');
  });

  it('is replaced when its entry changes', async () => {
    await writeConfigFiles(config.directory, {
      'tools/pulse.cjs': "const { serve } = require('neta_tool');\nserve(() => 'the new one');\n",
    });
    await until(async () => (await pulse('x')) === 'the new one');
  });

  it('ends with its manifest', async () => {
    await until(async () => !(await isGone(PULSE)));
    await rm(join(config.directory, 'tools/mute.yaml'));
    await until(() => isGone(PULSE));
    const names = async () => (await bench.rest.request<PageBody<{ name: string }>>('GET', '/tools')).body.data.map(({ name }) => name);
    await until(names, found => !found.includes('mute'));
  });
});

describe('jarvis.runtimes: the limit of processor time', () => {
  const BURN = 'const end = process.cpuUsage().user + 300_000; while (process.cpuUsage().user < end);';
  let ownConfig: AgentConfig;
  let own: AgentBench;
  beforeAll(async () => {
    ownConfig = await createAgentConfig(['base']);
    await writeConfigFiles(ownConfig.directory, {
      ...javascript(
        'steady',
        `const { serve } = require('neta_tool'); const start = Math.random(); serve(() => { ${BURN} return start; });`,
        'type: service',
      ),
      ...javascript('busy', 'for (;;);'),
    });
    own = await startBench({ env: { NETA_CONFIG_DIR: ownConfig.directory, NETA_SHELL_CPU_SECONDS: '1' } });
  });
  afterAll(async () => {
    await own?.stop();
    await ownConfig?.remove();
  });

  it('ends a process of one call, and no service that has worked for longer over many calls', async () => {
    const call = async (toolName: string) =>
      (await own.rest.request<CallBody>('POST', '/tools/call', { toolName, parameters: { text: 'x' } })).body;
    await until(async () => (await call('steady')).status === 'success');
    const starts = [await call('steady'), await call('steady'), await call('steady')].map(({ message }) => message);
    expect(new Set(starts).size).toBe(1);
    expect(await call('busy')).toMatchObject({ status: 'error', error: expect.stringContaining('it used up its processor time') });
  });
});

describeSandboxes('jarvis.runtimes: processes of a gateway that ends', ['none', ...SANDBOXES], kind => {
  const words = [uniqueWord(), uniqueWord()] as const;
  let ownConfig: AgentConfig;
  let own: AgentBench;
  beforeAll(async () => {
    ownConfig = await createAgentConfig(['base']);
    await writeConfigFiles(ownConfig.directory, {
      ...javascript('alive', `${spawnSleep(words[0])} const { serve } = require('neta_tool'); serve(() => 'up');`, 'type: service'),
      ...javascript('works', `${spawnSleep(words[1])} setInterval(() => {}, 1000);`),
    });
    own = await startBench({ env: { NETA_CONFIG_DIR: ownConfig.directory, NETA_SANDBOX: kind } });
  });
  afterAll(async () => {
    await own?.stop();
    await ownConfig?.remove();
  });

  it('are ended by the next gateway after kill -9, and with the gateway after SIGTERM', async () => {
    const begin = async () => {
      own.rest.request('POST', '/tools/call', { toolName: 'works', parameters: { text: 'x' } }).catch(() => {});
      await until(async () => !(await isGone(words[0])) && !(await isGone(words[1])));
    };
    await begin();
    const before = own.gateway.pid;
    await own.gateway.restart();
    expect(own.gateway.pid).not.toBe(before);
    // The service of the new gateway starts anew, so only the call's process must stay away.
    await until(() => isGone(words[1]));
    await until(async () => (await findProcesses(words[0])).length === 1);
    await begin();
    expect(await own.gateway.terminate()).toBe(0);
    expect([await isGone(words[0]), await isGone(words[1])]).toEqual([true, true]);
  });
});

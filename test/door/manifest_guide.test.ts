/** Follows the guide for manifests: writes its files, makes the call that it shows, and reads its example of a mistake. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentBench, startBench } from '../support/agent_bench';
import { type AgentConfig, createAgentConfig } from '../support/agent_config';
import { itWithPython, writeConfigFiles } from '../support/manifest_config';

const ROOT = join(__dirname, '../..');

/** The code blocks of one kind, in order. */
const blocksOf = (guide: string, kind: string): string[] =>
  [...guide.matchAll(new RegExp(`^\`\`\`${kind}\n([^]*?)^\`\`\`$`, 'gm'))].map(([, code]) => code ?? '');

describe.each([
  ['manifests.md', 'Hello Ann'],
  ['manifests.zh-CN.md', '你好 小安'],
])('jarvis.manifest: tools made after docs/guides/%s', (name, greeting) => {
  let config: AgentConfig;
  let bench: AgentBench;
  let call: string;

  beforeAll(async () => {
    const guide = await readFile(join(ROOT, 'docs/guides', name), 'utf8');
    const [manifest = '', schema = '', settings = ''] = blocksOf(guide, 'yaml');
    const javascript = manifest.replace('name: greeter', 'name: greeter_js').replace('runtime: python', 'runtime: javascript');
    call = /-d '(.*)'/.exec(blocksOf(guide, 'sh').join('\n'))?.[1] ?? '';
    config = await createAgentConfig(['base']);
    await writeConfigFiles(config.directory, {
      'tools/greeter/manifest.yaml': manifest,
      'tools/greeter/main.py': blocksOf(guide, 'python')[0] ?? '',
      'tools/greeter_js/manifest.yaml': javascript.replace('main.py', 'main.mjs'),
      'tools/greeter_js/main.mjs': blocksOf(guide, 'js')[0] ?? '',
      'tools/weather_desk/manifest.yaml':
        manifest.replace('name: greeter', 'name: weather_desk').replace('main.py', '../greeter/main.py') + schema,
      'tool-settings/weather_desk.yaml': settings,
    });
    bench = await startBench({ env: { NETA_CONFIG_DIR: config.directory } });
  });
  afterAll(async () => {
    await bench?.stop();
    await config?.remove();
  });

  const callTool = async (body: string) => (await bench.rest.request<{ message: string }>('POST', '/tools/call', body)).body.message;

  it('the JavaScript example answers', async () => {
    expect(JSON.parse(await callTool(call.replace('greeter', 'greeter_js')))).toEqual({ text: greeting });
  });

  itWithPython('the Python example and the example of settings answer', async () => {
    expect(JSON.parse(await callTool(call))).toEqual({ text: greeting });
    expect(JSON.parse(await callTool(call.replace('greeter', 'weather_desk')))).toEqual({ text: greeting });
  });
});

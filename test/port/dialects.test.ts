/** The dialect of a model server is found by its address and the name of the model. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DIALECT_NAMES, DIALECTS, dialectOf } from '../../src/port/dialects';

it.each([
  [undefined, 'gpt-5-mini', 'openai'],
  ['https://my-own.openai.azure.com/openai/v1', 'o4', 'openai'],
  ['https://generativelanguage.googleapis.com/v1beta/openai/', 'gemini-3-pro', 'gemini'],
  ['https://europe-west1-aiplatform.googleapis.com/v1/projects/p/locations/l/endpoints/openapi', 'google/gemini-2.5-pro', 'gemini'],
  ['https://api.deepseek.com', 'deepseek-v4-pro', 'deepseek'],
  ['https://api.mistral.ai/v1', 'any', 'mistral'],
  ['https://api.moonshot.cn/v1', 'kimi-k2-thinking', 'kimi'],
  ['https://open.bigmodel.cn/api/paas/v4', 'glm-4.7', 'glm'],
  ['https://api.z.ai/api/coding/paas/v4', 'glm-5', 'glm'],
  ['https://dashscope-intl.aliyuncs.com/compatible-mode/v1', 'qwen3-max', 'qwen'],
  // The host counts more than the name of the model.
  ['https://openrouter.ai/api/v1', 'deepseek/deepseek-v4', 'openrouter'],
  ['https://api.minimaxi.com/v1', 'MiniMax-M2', 'minimax'],
  ['http://127.0.0.1:11434/v1', 'qwen3:8b', 'ollama'],
  ['http://ollama:8080/v1', 'qwen3:8b', 'ollama'],
  ['http://vllm.internal:8000/v1', 'mistral-large', 'vllm'],
  ['http://llama-server/v1', 'x', 'llamacpp'],
  ['http://127.0.0.1:8000/v1', 'mistralai/Mistral-Large-Instruct', 'mistral'],
  ['http://127.0.0.1:8000/v1', 'moonshotai/Kimi-K2-Thinking', 'kimi'],
  ['http://127.0.0.1:8000/v1', 'some-model', 'tolerant'],
  // A host that only sounds like one.
  ['https://notmistral.ai.example.com/v1', 'some-model', 'tolerant'],
  ['https://collama.example.com/v1', 'some-model', 'tolerant'],
  ['no url', 'some-model', 'tolerant'],
])('%s with %s speaks %s', (baseUrl, model, name) => {
  expect(dialectOf({ baseUrl, model }).name).toBe(name);
});

it('follows `dialect:` before address and model', () => {
  expect(dialectOf({ dialect: 'kimi', baseUrl: 'https://api.mistral.ai/v1', model: 'mistral-large' }).name).toBe('kimi');
  for (const name of DIALECT_NAMES) expect(DIALECTS[name].name).toBe(name);
});

it.each([
  ['models.md', 'any further field', 'yes'],
  ['models.zh-CN.md', '任何其他字段', '是'],
])('%s says what the table says', async (file, any, yes) => {
  const guide = await readFile(join(__dirname, '../../docs/guides', file), 'utf8');
  const code = (names: readonly string[]) => names.map(name => `\`${name}\``).join(', ') || '-';
  const listed = (names: readonly string[] | 'any') => (names === 'any' ? any : code(names));
  for (const dialect of Object.values(DIALECTS)) {
    const row = guide.split('\n').find(line => line.startsWith(`| \`${dialect.name}\` |`)) ?? '';
    expect(row.slice(row.indexOf('|', row.indexOf('|', 2) + 1))).toBe(
      [
        `| ${listed(dialect.messageFields)} | ${listed(dialect.callFields)} | \`${dialect.thoughtsSentBack}\` | \`${dialect.callIds.source}\` |`,
        `${dialect.wantsThinkTags ? yes : '-'} | ${code(dialect.requestFields)} |`,
      ].join(' '),
    );
  }
});

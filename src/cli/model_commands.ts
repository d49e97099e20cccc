/** The command for models: lists those of the gateway, and asks a model server what it can do. */
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { ProbeRun } from '../model_probe';
import { type Command, EXIT, type Invocation, list, UsageError } from './command';
import { ROOT } from './directory';
import { readEnvironment } from './gateway_place';
import { textOf } from './replay_commands';
import { TEXTS } from './texts';

const MARKS = { yes: '✓', no: '✗' };

const models: Command = {
  usage: '[probe [model]]',
  summary: {
    en: 'List models, or probe one: ask its server what it can do, and show its row for models.yaml',
    'zh-CN': '列出模型，或用 probe 询问模型服务器能做什么，并给出 models.yaml 中的条目',
  },
  options: {
    'base-url': { type: 'string', summary: { en: 'probe: address of the server', 'zh-CN': 'probe：服务器地址' } },
    'model-name': { type: 'string', summary: { en: 'probe: name of the model at the server', 'zh-CN': 'probe：服务器上的模型名' } },
    'api-key-env': { type: 'string', summary: { en: 'probe: variable with the key', 'zh-CN': 'probe：存放密钥的环境变量' } },
    api: {
      type: 'string',
      summary: { en: 'probe: chat | responses | anthropic | google', 'zh-CN': 'probe：chat | responses | anthropic | google' },
    },
    large: {
      type: 'boolean',
      summary: {
        en: 'probe: send a request that is too long, too; a server that takes it bills it',
        'zh-CN': 'probe：再发送一个过长的请求；若服务器接受则会计费',
      },
    },
    write: { type: 'boolean', summary: { en: 'probe: write the row into models.yaml', 'zh-CN': 'probe：把条目写入 models.yaml' } },
  },
  async run(invocation) {
    const [action, id] = invocation.args;
    if (action === undefined) return listModels(invocation);
    if (action !== 'probe') throw new UsageError(`neta models ${models.usage}`);
    return probeModel(invocation, id);
  },
};

async function listModels(invocation: Invocation): Promise<number> {
  const { data } = await invocation.client.request('get', '/api/v1/models');
  return list(invocation, data, ({ id, model, state, default: isDefault }) => ({ id, model, state, default: isDefault ? 'yes' : '' }));
}

async function probeModel(invocation: Invocation, id: string | undefined): Promise<number> {
  const { options, output, language } = invocation;
  const wish = {
    id,
    baseUrl: textOf(options['base-url']),
    model: textOf(options['model-name']),
    apiKeyEnv: textOf(options['api-key-env']),
    api: textOf(options['api']),
  };
  if (wish.model === undefined && (wish.baseUrl ?? wish.api ?? wish.apiKeyEnv) !== undefined) throw new UsageError('--model-name');
  // The ports load with the first probe.
  const { probe } = require(join(__dirname, '../model_probe.js')) as typeof import('../model_probe');
  const place = { env: await readEnvironment('.', invocation.env), root: ROOT };
  // Connections to model servers do not keep a process alive.
  const alive = setInterval(() => {}, 1_000);
  try {
    const probed = await probe(place, wish, {
      isLarge: options['large'] === true,
      onAnswer: ({ title }) => output.isJson || output.note(title[language], 'dim'),
    });
    show(probed, invocation);
    if (options['write'] === true && probed.row) output.note(`${TEXTS.written[language]} ${await probed.write()}`);
    return probed.row ? EXIT.done : EXIT.failed;
  } finally {
    clearInterval(alive);
  }
}

function show({ questions, row }: ProbeRun, { output, language }: Invocation): void {
  if (output.isJson) {
    const answers = questions.map(({ name, ok, detail }) => ({ name, ok, detail: detail[language] }));
    output.json({ questions: answers, row });
    return;
  }
  output.table(
    questions.map(({ name, title, ok, detail }) => ({
      ' ': ok ? MARKS.yes : MARKS.no,
      question: name,
      title: title[language],
      detail: detail[language],
    })),
    { isWhole: true },
  );
  if (row)
    output.line(
      `\n${stringify([row], { collectionStyle: 'flow', lineWidth: 0 })
        .trim()
        .replace(/^\[\s*(.*?)\s*\]$/s, '- $1')}`,
    );
}

export const MODEL_COMMANDS = { models };

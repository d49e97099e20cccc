/** The command replay: runs a recorded run again and shows what differs. */
import { readFile } from 'node:fs/promises';
import type { Replay } from '../../clients/typescript/src/types';
import { type Command, EXIT, UsageError } from './command';
import { showReplay } from './show_replay';

const LIVE_TOOLS = ['none', 'read'] as const;

/** The options that say what differs from the recorded run. */
export const REPLAY_OPTIONS = {
  model: {
    type: 'string',
    summary: { en: 'call this model; without it the recorded answers are used', 'zh-CN': '调用此模型；省略则使用录制的回答' },
  },
} as const;

const replay: Command = {
  usage: '<run>',
  summary: {
    en: 'Run a recorded run again and show what differs; exits 0 same, 3 different, 1 failed',
    'zh-CN': '重放录制的运行并显示差异；退出码 0 相同，3 不同，1 失败',
  },
  options: {
    ...REPLAY_OPTIONS,
    agent: { type: 'string', summary: { en: 'name of the agent', 'zh-CN': '智能体的名字' } },
    prompt: { type: 'string', summary: { en: 'file with the system prompt to use', 'zh-CN': '含有系统提示词的文件' } },
    'live-tools': {
      type: 'string',
      summary: { en: 'none | read: calls that only read and are not recorded run', 'zh-CN': 'none | read：录制中没有的只读调用会真正执行' },
    },
  },
  async run(invocation) {
    const { args, output, options } = invocation;
    const body = {
      model: textOf(options['model']),
      agent: textOf(options['agent']),
      prompt: await readPrompt(textOf(options['prompt'])),
      liveTools: liveToolsOf(textOf(options['live-tools'])),
    };
    const replayed = await invocation
      .clientForPaidRequests()
      .request('post', '/api/v1/runs/{id}/replay', { path: { id: args[0] ?? '' }, body });
    if (output.isJson) output.json(replayed);
    else showReplay(replayed, invocation);
    return exitCodeOfReplay(replayed.result);
  },
};

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** 0: same, 3: different, 1: failed. */
function exitCodeOfReplay(result: Replay['result']): number {
  if (result === 'same') return EXIT.done;
  return result === 'different' ? EXIT.incomplete : EXIT.failed;
}

function liveToolsOf(word: string | undefined): (typeof LIVE_TOOLS)[number] | undefined {
  if (word === undefined) return undefined;
  const known = LIVE_TOOLS.find(value => value === word);
  if (!known) throw new UsageError(`--live-tools ${LIVE_TOOLS.join(' | ')}`);
  return known;
}

async function readPrompt(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  try {
    return await readFile(file, 'utf8');
  } catch (thrown) {
    throw new UsageError(`--prompt ${file}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}

export const REPLAY_COMMANDS = { replay };

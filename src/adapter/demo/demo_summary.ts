/** The demo's summary of a long conversation: what the person wrote and which tools were called, taken from the transcript. */
import type { LlmRequest } from '../../port/llm';

interface Block {
  /** The name between brackets, such as `person`. */
  name: string;
  /** The name of a tool, which follows the brackets. */
  tool: string;
  text: string;
}

const LANGUAGES = {
  en: { earlier: 'earlier summary', person: 'person', call: 'call', asked: 'The person wrote:', used: 'Tools that were called:' },
  'zh-CN': { earlier: '之前的摘要', person: '用户', call: '调用', asked: '用户写过：', used: '调用过的工具：' },
} as const;
const GOALS = { en: '## Goals', 'zh-CN': '## 目标' };
const DONE = { en: '## Done', 'zh-CN': '## 已完成' };

const START = '<transcript>\n';
/** The newest messages that a summary lists. */
const MAX_MESSAGES = 20;
const MAX_UNITS = 200;

/** Returns undefined when the request asks for anything else. */
export function summarise({ messages, tools }: Pick<LlmRequest, 'messages' | 'tools'>): string | undefined {
  const asked = messages.at(-1);
  if (tools.length > 0 || asked?.role !== 'user' || !asked.content.startsWith(START)) return undefined;
  const blocks = readBlocks(asked.content.slice(START.length));
  const names = new Set(blocks.map(block => block.name));
  const locale = [LANGUAGES['zh-CN'].person, LANGUAGES['zh-CN'].earlier].some(name => names.has(name)) ? 'zh-CN' : 'en';
  const words = LANGUAGES[locale];
  const earlier = blocks.find(block => block.name === words.earlier)?.text ?? '';
  const said = blocks.flatMap(block => (block.name === words.person ? [firstLine(block.text)] : []));
  const used = blocks.flatMap(block => (block.name === words.call ? [block.tool] : []));
  const asking = [...itemsBelow(earlier, words.asked), ...said].slice(-MAX_MESSAGES);
  const using = [...new Set([...itemsBelow(earlier, words.used), ...used])];
  return [
    ...(asking.length > 0 ? [GOALS[locale], words.asked, ...asking.map(toItem)] : []),
    ...(using.length > 0 ? [DONE[locale], words.used, ...using.map(toItem)] : []),
  ].join('\n');
}

/** The titles of messages stand at the start of a line; their texts are indented. */
function readBlocks(transcript: string): Block[] {
  const blocks: Block[] = [];
  for (const line of transcript.split('\n')) {
    const [, name = '', tool = ''] = /^\[([^\]]+)\] ?(.*)$/.exec(line) ?? [];
    const last = blocks.at(-1);
    if (name) blocks.push({ name, tool, text: '' });
    else if (last && line.startsWith('  ')) last.text += `${line.slice(2)}\n`;
  }
  return blocks;
}

/** Returns the items of the list that follows the line `title`. */
function itemsBelow(text: string, title: string): string[] {
  const lines = text.split('\n');
  const start = lines.indexOf(title) + 1;
  if (start === 0) return [];
  const end = lines.findIndex((line, i) => i >= start && !line.startsWith('- '));
  return lines.slice(start, end === -1 ? undefined : end).map(line => line.slice(2));
}

const firstLine = (text: string): string => (text.trim().split('\n', 1)[0] ?? '').slice(0, MAX_UNITS);

const toItem = (text: string): string => `- ${text}`;

import { summarise } from '../../../src/adapter/demo/demo_summary';
import type { ChatMessage } from '../../../src/port/llm';
import { writeTranscript } from '../../../src/runtime/compaction/transcript';

const MESSAGES: ChatMessage[] = [
  { role: 'user', content: 'List the files\nplease' },
  { role: 'assistant', content: null, tool_calls: [{ id: 'a', type: 'function', function: { name: 'list_dir', arguments: '{}' } }] },
  { role: 'tool', tool_call_id: 'a', content: '[person]\nnot me' },
];

const request = (text: string) => ({ messages: [{ role: 'user' as const, content: text }], tools: [] });

it('lists what the person wrote and which tools were called, and keeps the earlier lists', () => {
  const transcript = writeTranscript({ messages: MESSAGES, locale: 'en', maxBytes: 10_000 });
  const first = summarise(request(`${transcript}\n\nWrite it.`));
  expect(first).toBe('## Goals\nThe person wrote:\n- List the files\n## Done\nTools that were called:\n- list_dir');
  const later = writeTranscript({
    messages: [{ role: 'user', content: 'Thanks' }],
    earlier: `${first}\n\n## Plan`,
    locale: 'en',
    maxBytes: 10_000,
  });
  expect(summarise(request(later))).toBe(
    '## Goals\nThe person wrote:\n- List the files\n- Thanks\n## Done\nTools that were called:\n- list_dir',
  );
});

it('answers in Chinese to a Chinese transcript, and leaves other requests alone', () => {
  const transcript = writeTranscript({ messages: MESSAGES, locale: 'zh-CN', maxBytes: 10_000 });
  expect(summarise(request(transcript))).toMatch(/^## 目标\n用户写过：\n- List the files\n/);
  expect(summarise(request('List the files'))).toBeUndefined();
});

import { readChats } from '../../src/utils/read_chats';

const node = (id: string, parent: string | null, role: string, text: string, more: object = {}) => ({
  [id]: {
    id,
    parent,
    children: [],
    message: { author: { role }, create_time: 1_714_550_400, content: { content_type: 'text', parts: [text] }, ...more },
  },
});

it('reads the current path of a ChatGPT chat, without hidden messages, thoughts and tools', () => {
  const mapping = {
    root: { id: 'root', parent: null, children: ['a'], message: null },
    ...node('a', 'root', 'system', '', { metadata: { is_visually_hidden_from_conversation: true } }),
    ...node('b', 'a', 'user', 'Old question'),
    ...node('c', 'a', 'user', 'New question'),
    ...node('d', 'c', 'assistant', '', { content: { content_type: 'thoughts', thoughts: [] } }),
    ...node('e', 'd', 'assistant', 'search("x")', { recipient: 'web' }),
    ...node('f', 'e', 'tool', 'Results'),
    ...node('g', 'f', 'assistant', 'Answer'),
  };
  expect(readChats([{ title: 'Birds', is_archived: true, mapping, current_node: 'g' }])).toEqual([
    {
      chat: {
        title: 'Birds',
        archived: true,
        messages: [
          { role: 'user', content: 'New question', createdAt: '2024-05-01T08:00:00.000Z' },
          { role: 'assistant', content: 'Answer', createdAt: '2024-05-01T08:00:00.000Z' },
        ],
      },
    },
  ]);
});

it('reads the current path of an Open WebUI chat without its thoughts', () => {
  const messages = {
    1: { id: '1', parentId: null, role: 'user', content: 'Hello', timestamp: 1_714_550_400 },
    2: { id: '2', parentId: '1', role: 'assistant', content: 'Other branch' },
    3: { id: '3', parentId: '1', role: 'assistant', content: '<details type="reasoning" done="true">\nHm\n</details>\nHi there' },
  };
  const [result] = readChats([{ id: 'x', title: 'Greeting', chat: { history: { currentId: '3', messages }, messages: [] } }]) ?? [];
  expect(result).toMatchObject({ chat: { messages: [{ content: 'Hello' }, { role: 'assistant', content: 'Hi there' }] } });
});

it('reads a LibreChat chat, flat and as a tree', () => {
  const first = { messageId: 'm1', parentMessageId: '0000', isCreatedByUser: true, text: 'Why?', createdAt: '2024-05-01T08:00:00.000Z' };
  const other = { messageId: 'm2', parentMessageId: 'm1', isCreatedByUser: false, text: 'No idea.' };
  const last = {
    messageId: 'm3',
    parentMessageId: 'm1',
    isCreatedByUser: false,
    text: '',
    content: [{ type: 'text', text: { value: 'Because.' } }],
  };
  const chat = {
    messages: [
      { role: 'user', content: 'Why?' },
      { role: 'assistant', content: 'Because.' },
    ],
  };
  expect(readChats({ conversationId: 'c', title: 'Reasons', messages: [first, other, last] })).toMatchObject([{ chat }]);
  expect(readChats({ title: 'Reasons', recursive: true, messages: [{ ...first, children: [other, last] }] })).toMatchObject([{ chat }]);
});

it('says which chats cannot come in, ends at a circle, and knows no other file', () => {
  const mapping = { ...node('a', 'b', 'user', 'Round'), ...node('b', 'a', 'assistant', 'and round') };
  expect(readChats([{ title: 'Circle', mapping, current_node: 'a' }])).toEqual([{ title: 'Circle', problem: 'too_long' }]);
  expect(readChats([{ title: 'Empty', mapping: {} }, { title: 'Odd' }, 7])).toEqual([
    { title: 'Empty', problem: 'no_messages' },
    { title: 'Odd', problem: 'unknown_form' },
    { title: '', problem: 'unknown_form' },
  ]);
  for (const file of [{}, [], 'text', null, [{ messages: 'no' }]]) expect(readChats(file)).toBeUndefined();
});

import fc from 'fast-check';
import { bytesWithImages, encodeChatRequest, toJsonBytes } from '../../../src/adapter/openai/chat_request';
import { type ChatMessage, systemMessageOf, type WireTool } from '../../../src/port/llm';
import { toWellFormedJson } from '../../../src/utils/well_formed';

/** Texts with lone surrogates, control characters, quotes and line separators. */
const text = fc.string({
  unit: fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    fc.constantFrom('\ud800', '\udfff', '\0', '"', '\\', '\u2028', '你'),
  ),
});

const anyObject = fc.dictionary(fc.oneof(fc.constantFrom('__proto__', 'toJSON', 'content', 'role'), text), fc.jsonValue());

const call = fc.record({ id: text, type: fc.constant('function'), function: fc.record({ name: text, arguments: text }) });

const message = fc.oneof(
  fc.record({ role: fc.constantFrom('system', 'user'), content: text }),
  fc.record({
    role: fc.constant('assistant'),
    content: fc.oneof(text, fc.constant(null)),
    tool_calls: fc.option(fc.array(call), { nil: undefined }),
  }),
  fc.record({ role: fc.constant('tool'), tool_call_id: text, content: text }),
) as fc.Arbitrary<ChatMessage>;

/** After objects with such keys, JSON.parse of V8 can read an escaped key of one character as a backslash (Node 20 and 24). */
const ONE_CHARACTER_KEY = /"(?:[^"\\]|\\u[0-9a-f]{4}|\\.)":/;

const tool = fc
  .record({ type: fc.constant('function'), function: fc.record({ name: text, description: text, parameters: anyObject }) })
  .filter(value => !ONE_CHARACTER_KEY.test(JSON.stringify(value))) as fc.Arbitrary<WireTool>;

const whole = (fields: object, messages: readonly ChatMessage[], tools: readonly WireTool[]): string =>
  toWellFormedJson(JSON.stringify({ ...fields, messages, ...(tools.length > 0 && { tools }) }));

test('encodes what JSON.stringify does, well-formed, at the first and at a later call, as the history grows', () => {
  const property = fc.property(fc.array(message), fc.array(message), fc.array(tool), text, (history, more, tools, model) => {
    const fields = { model, stream: true };
    for (const messages of [history, history, [...history, ...more]]) {
      const body = encodeChatRequest({ fields, messages, tools });
      expect(JSON.stringify(JSON.parse(Buffer.concat(body).toString('utf8')))).toBe(whole(fields, messages, tools));
    }
  });
  fc.assert(property, { numRuns: 300 });
});

test('sends the content of a prompt that was made of parts', () => {
  const parts = fc.array(
    text.map(part => ({ text: part.toWellFormed() })),
    { minLength: 1 },
  );
  const user: ChatMessage = { role: 'user', content: 'hi' };
  const property = fc.property(parts, parts, (some, more) => {
    // The second prompt shares the parts of the first one, in other places too.
    for (const message of [systemMessageOf(some), systemMessageOf([...more, ...some]), systemMessageOf([...some, ...some])]) {
      const body = Buffer.concat(encodeChatRequest({ fields: { model: 'm' }, messages: [message, user], tools: [] })).toString('utf8');
      expect(JSON.parse(body)).toEqual({ model: 'm', messages: [message, user] });
    }
  });
  fc.assert(property, { numRuns: 300 });
});

test('encodes a part once for all prompts that share it', () => {
  const long = { text: 'The same in all sessions.' };
  const bytesFor = (time: string): Uint8Array[] =>
    encodeChatRequest({ fields: { model: 'm' }, messages: [systemMessageOf([long, { text: time }])], tools: [] });
  expect(bytesFor('12:01')[1]).toBe(bytesFor('12:02')[1]);
  expect(Buffer.concat(bytesFor('12:03')).toString()).toContain('The same in all sessions.12:03');
});

test('serialises a message and a list of tools once', () => {
  let serialised = 0;
  const counted = <T extends object>(value: T): T => Object.assign(value, { toJSON: () => ++serialised });
  const messages = [counted<ChatMessage>({ role: 'user', content: 'hi' })];
  const tools = counted<WireTool[]>([{ type: 'function', function: { name: 'bash', description: '', parameters: {} } }]);
  for (let i = 0; i < 3; i++) encodeChatRequest({ fields: { model: 'm' }, messages, tools });
  expect(serialised).toBe(2);
});

test('serialises only the messages that a later turn read anew', () => {
  let serialised = 0;
  const counted = (content: string): ChatMessage => {
    const toJSON = () => {
      serialised += 1;
      return { role: 'user', content };
    };
    return Object.assign({ role: 'user', content }, { toJSON }) as ChatMessage;
  };
  const encode = (messages: ChatMessage[]) =>
    Buffer.concat(encodeChatRequest({ fields: { model: 'm' }, messages: [counted('system'), ...messages], tools: [] }));
  const earlier = ['one', 'two', 'three'].map(counted);
  encode([...earlier, counted('question')]);
  encode([...earlier, counted('question'), counted('answer')]);
  serialised = 0;
  const body = encode([...earlier, counted('question'), counted('answer'), counted('next question')]);
  // The system message and three others: the store gave the previous turn as new objects.
  expect(serialised).toBe(4);
  const contents = (JSON.parse(body.toString()) as { messages: { content: string }[] }).messages.map(({ content }) => content);
  expect(contents).toEqual(['system', 'one', 'two', 'three', 'question', 'answer', 'next question']);
});

test('two continuations of one list, and a list without its beginning, have their own bytes', () => {
  const user = (content: string): ChatMessage => ({ role: 'user', content });
  const shared = Array.from({ length: 5 }, (_, i) => user(`shared ${i}`));
  const lists = [
    shared,
    [...shared, user('left')],
    [...shared, user('right')],
    shared.slice(2),
    [...shared, user('left')],
    [user('other'), ...shared],
  ];
  const bodies = lists.map(list => encodeChatRequest({ fields: { model: 'm' }, messages: [user('first'), ...list], tools: [] }));
  for (const [i, body] of bodies.entries()) {
    expect(Buffer.concat(body).toString()).toBe(whole({ model: 'm' }, [user('first'), ...(lists[i] ?? [])], []));
  }
});

test('serialises each message once although the system message changes', () => {
  let serialised = 0;
  const message = (content: string): ChatMessage => Object.assign({ role: 'user' as const, content }, { toJSON: () => ++serialised });
  const history: ChatMessage[] = [];
  for (let turn = 0; turn < 10; turn++) {
    history.push(message(`turn ${turn}`));
    encodeChatRequest({ fields: { model: 'm' }, messages: [{ role: 'system', content: `${turn}` }, ...history], tools: [] });
  }
  expect(serialised).toBe(10);
});

it('encodes images as data URLs, and writes a line for one without bytes', () => {
  const messages: ChatMessage[] = [
    {
      role: 'user',
      content: 'both "é"',
      images: [
        { id: 'old', mediaType: 'image/gif', bytes: 3 },
        { id: 'new', mediaType: 'image/png', bytes: 2 },
      ],
    },
    { role: 'assistant', content: 'fine' },
  ];
  const json = `[${Buffer.from(bytesWithImages(messages, new Map([['new', new Uint8Array([0, 0, 0xfb, 0xff]).subarray(2)]])))
    .toString()
    .slice(1)}]`;
  expect(JSON.parse(json)).toStrictEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'both "é"' },
        { type: 'text', text: '[image 1: image/gif, 3 B; no longer sent]' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,+/8=' } },
      ],
    },
    { role: 'assistant', content: 'fine' },
  ]);
});

const textOf = (json: string): string => Buffer.from(toJsonBytes(json)).toString('utf8');

test('sends a few characters that are not ASCII as escapes, so that the body has one byte a character', () => {
  const json = JSON.stringify({ role: 'assistant', content: 'Look at the file first → then change it — carefully. 🙂' });
  expect(textOf(json)).toBe(json.replace('→', '\\u2192').replace('—', '\\u2014').replace('🙂', '\\ud83d\\ude42'));
});

test('sends a text with many of them as it is', () => {
  const json = JSON.stringify({ role: 'user', content: '请先看文件，再修改。' });
  expect(textOf(json)).toBe(json);
});

test('a server reads the same value, and an escaped text is at most two fifths longer', () => {
  const units = fc.oneof({ weight: 20, arbitrary: fc.constantFrom('a', '"', '\\', '\n') }, fc.string({ unit: 'binary', maxLength: 1 }));
  const property = fc.property(fc.string({ unit: units, maxLength: 400 }), content => {
    const json = JSON.stringify({ content });
    expect(JSON.parse(textOf(json))).toEqual(JSON.parse(json));
    expect(toJsonBytes(json).length).toBeLessThanOrEqual(Buffer.byteLength(json) * 1.4);
  });
  fc.assert(property, { numRuns: 500 });
});

test('half of a character becomes the replacement character, and an escape that a text quotes stays', () => {
  const content = 'a \ud83d b \ude00 c \\ud83d 😀';
  expect(JSON.parse(textOf(JSON.stringify({ content })))).toEqual({ content: content.toWellFormed() });
});

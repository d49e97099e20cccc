import { bytesWithImages } from '../../../src/adapter/openai/image_parts';
import type { ChatMessage } from '../../../src/port/llm';

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

import type { ChatMessage, LlmRequest } from '../../../src/port/llm';
import { showImages } from '../../../src/service/model/show_images';

const MIB = 1024 * 1024;
const shown = (id: string, bytes = 10): ChatMessage => ({ role: 'user', content: id, images: [{ id, mediaType: 'image/png', bytes }] });

function requestOf(messages: ChatMessage[], gone: string[] = []): LlmRequest {
  return {
    messages,
    tools: [],
    thinkingLevel: 'off',
    signal: new AbortController().signal,
    readImage: async id => (gone.includes(id) ? undefined : Buffer.from(id)),
  };
}

const idsOf = async (request: LlmRequest) => [...((await showImages(request, true)).images?.keys() ?? [])].sort();

it('reads the newest images up to 20 MiB', async () => {
  expect(await idsOf(requestOf([shown('a', 12 * MIB), shown('b', 9 * MIB), shown('c', 9 * MIB)]))).toStrictEqual(['b', 'c']);
});

it('reads at most the 16 newest images', async () => {
  const messages = Array.from({ length: 18 }, (_, i) => shown(`i${i + 10}`));
  const ids = await idsOf(requestOf(messages));
  expect(ids).toHaveLength(16);
  expect(ids[0]).toBe('i12');
});

it('leaves out an image that is gone', async () => {
  expect(await idsOf(requestOf([shown('a'), shown('b')], ['a']))).toStrictEqual(['b']);
});

it('writes a line for each image for a model that cannot see, and keeps other messages as they are', async () => {
  const plain: ChatMessage = { role: 'user', content: 'hello' };
  const { messages, images, readImage } = await showImages(requestOf([plain, shown('a', 2048)]), false);
  expect(messages).toStrictEqual([plain, { role: 'user', content: 'a\n[image 1: image/png, 2 KiB; this model cannot see images]' }]);
  expect(messages[0]).toBe(plain);
  expect({ images, readImage }).toStrictEqual({ images: undefined, readImage: undefined });
});

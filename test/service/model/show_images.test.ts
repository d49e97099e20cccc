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

const idsOf = async (request: LlmRequest) => [...((await showImages(request, { images: true })).images?.keys() ?? [])].sort();

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
  const { messages, images, readImage } = await showImages(requestOf([plain, shown('a', 2048)]), {});
  expect(messages).toStrictEqual([plain, { role: 'user', content: 'a\n[image 1: image/png, 2 KiB; this model cannot see images]' }]);
  expect(messages[0]).toBe(plain);
  expect({ images, readImage }).toStrictEqual({ images: undefined, readImage: undefined });
});

const letter = {
  role: 'user',
  content: 'read',
  images: [{ id: 'a', mediaType: 'image/png', bytes: 10 }],
  files: [
    { id: 'f', mediaType: 'application/pdf', bytes: 2048, name: 'plan.pdf', text: 'Plant beans.' },
    { id: 'g', mediaType: 'application/pdf', bytes: 1024 },
  ],
} satisfies ChatMessage;

it('sends files to a model that reads files alone, with a line for the image', async () => {
  const { messages, images } = await showImages(requestOf([letter]), { files: true });
  expect([...(images?.keys() ?? [])].sort()).toStrictEqual(['f', 'g']);
  expect(messages).toStrictEqual([
    { role: 'user', content: 'read\n[image 1: image/png, 10 B; this model cannot see images]', files: letter.files },
  ]);
});

it('gives the text of a file to a model that only sees images', async () => {
  const { messages, images } = await showImages(requestOf([letter]), { images: true });
  expect([...(images?.keys() ?? [])]).toStrictEqual(['a']);
  const lines = ['[file 1: plan.pdf, application/pdf, 2 KiB; its text follows]', 'Plant beans.'];
  const content = ['read', ...lines, '[file 2: application/pdf, 1 KiB; this model cannot read files]'].join('\n');
  expect(messages).toStrictEqual([{ role: 'user', content, images: letter.images }]);
});

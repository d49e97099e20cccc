import { ResultImages } from '../../../src/runtime/tool_runner/result_images';
import type { ToolImage } from '../../../src/tools/common';

const MIB = 1024 * 1024;
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const png = (bytes: number = PNG.length): ToolImage => ({
  mediaType: 'image/png',
  bytes: Buffer.concat([PNG, Buffer.alloc(bytes - PNG.length)]),
});

function attachments() {
  const stored: ToolImage[] = [];
  const images = new ResultImages(
    given => given.map(image => ({ id: `img_${stored.push(image)}`, mediaType: image.mediaType, bytes: image.bytes.length })),
    { locale: 'en' },
  );
  return { images, stored };
}

it('stores the images of a result and names them', () => {
  const { images } = attachments();
  expect(images.attach({ images: [png()] })).toEqual({ images: [{ id: 'img_1', mediaType: 'image/png', bytes: 8 }], note: undefined });
  expect(images.attach({})).toEqual({});
});

it.each<[what: string, given: ToolImage[], kept: number]>([
  ['more than 8 of them', Array(10).fill(png()), 8],
  ['one that is too large', [png(5 * MIB + 1), png()], 1],
  ['those beyond 10 MiB', [png(5 * MIB), png(5 * MIB), png()], 2],
  ['one that is of another type than it says', [{ mediaType: 'image/gif', bytes: PNG }], 0],
])('leaves out %s, and says so', (_what, given, kept) => {
  const { images, stored } = attachments();
  expect(images.attach({ images: given }).note).toContain(`[Images left out: ${given.length - kept}.`);
  expect(stored).toHaveLength(kept);
});

it('keeps at most 100 MiB of a run', () => {
  const { images, stored } = attachments();
  const notes = Array.from({ length: 11 }, () => images.attach({ images: [png(5 * MIB), png(5 * MIB)] }).note);
  expect(stored).toHaveLength(20);
  expect(notes.map(note => note !== undefined)).toEqual([...Array(10).fill(false), true]);
});

it('attaches nothing where no images are stored', () => {
  expect(new ResultImages(undefined, { locale: 'en' }).attach({ images: [png()] })).toEqual({});
});

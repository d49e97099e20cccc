/** Makes files of a person into images that fit into one message: reads them, scales large ones down, and says what cannot be used. */
import { keyHeaders } from '../api/access_key';
import { createUniqueId } from '../platform/unique_id';
import type { DraftImage } from './draft_images';
import { MAX_FILE_BYTES, MAX_IMAGES, MAX_IMAGES_BYTES } from './image_limits';

/**
 * `unreadable`: no image that this browser can decode. `too_large`: a file that the page does not try. `too_many`: one too many. The last two
 * concern files that are no images: the gateway takes none so large, or did not store it.
 */
export type ImageProblem = 'unreadable' | 'too_large' | 'too_many' | 'over_upload_limit' | 'not_stored';

export interface PreparedImages {
  images: readonly DraftImage[];
  /** One for each file that was left out. */
  problems: readonly { name: string; problem: ImageProblem }[];
}

/** Longest side of a scaled image, in pixels: models scale larger ones down themselves. */
const MAX_SIDE = 1_568;
const QUALITY = 0.85;
const MIN_SIDE = 32;

/** Adds files to the images of a message. All of them together fit into it afterwards. */
export async function addImages(before: readonly DraftImage[], files: readonly File[]): Promise<PreparedImages> {
  const images = [...before];
  const problems: { name: string; problem: ImageProblem }[] = [];
  for (const file of files) {
    const read = images.length < MAX_IMAGES ? await readImage(file) : 'too_many';
    if (typeof read === 'string') problems.push({ name: file.name, problem: read });
    else images.push(read);
  }
  return { images: await fitTogether(images), problems };
}

async function readImage(file: File): Promise<DraftImage | ImageProblem> {
  if (file.size > MAX_FILE_BYTES) return 'too_large';
  try {
    const type = await imageTypeOf(file);
    const bitmap = await createImageBitmap(file);
    const isSmall = type !== undefined && file.size <= MAX_IMAGES_BYTES && Math.max(bitmap.width, bitmap.height) <= MAX_SIDE;
    const blob = isSmall ? new Blob([file], { type }) : await scale(bitmap, { maxSide: MAX_SIDE, maxBytes: MAX_IMAGES_BYTES });
    bitmap.close();
    return { id: createUniqueId(), name: file.name, src: await toDataUrl(blob) };
  } catch {
    return 'unreadable';
  }
}

/** Tells the type from the first bytes, as the gateway does; undefined for a type that it does not take. */
async function imageTypeOf(file: Blob): Promise<string | undefined> {
  const start = String.fromCharCode(...new Uint8Array(await file.slice(0, 12).arrayBuffer()));
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'image/gif';
  return start.startsWith('RIFF') && start.startsWith('WEBP', 8) ? 'image/webp' : undefined;
}

/** Halves the largest image until all of them fit. */
async function fitTogether(images: readonly DraftImage[]): Promise<readonly DraftImage[]> {
  let fitted = images;
  while (fitted.reduce((sum, { src }) => sum + bytesOf(src), 0) > MAX_IMAGES_BYTES) {
    const largest = fitted.reduce((found, image) => (image.src.length > found.src.length ? image : found));
    const bitmap = await createImageBitmap(toBlob(largest.src));
    const blob = await scale(bitmap, { maxSide: Math.max(bitmap.width, bitmap.height), maxBytes: bytesOf(largest.src) / 2 });
    bitmap.close();
    const smaller = { ...largest, src: await toDataUrl(blob) };
    fitted = fitted.map(image => (image === largest ? smaller : image));
  }
  return fitted;
}

/** Scales an image. Rejects when the browser cannot draw it. */
async function scale(bitmap: ImageBitmap, { maxSide, maxBytes }: { maxSide: number; maxBytes: number }): Promise<Blob> {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  const longest = Math.max(bitmap.width, bitmap.height);
  for (let side = Math.min(maxSide, longest); context && side >= MIN_SIDE; side *= 0.8) {
    canvas.width = Math.max(1, Math.round((bitmap.width * side) / longest));
    canvas.height = Math.max(1, Math.round((bitmap.height * side) / longest));
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    const blob = await encode(canvas);
    if (blob.size <= maxBytes) return blob;
  }
  throw new Error('The image cannot be drawn.');
}

/** Safari cannot write WebP and gives a large PNG instead. */
async function encode(canvas: HTMLCanvasElement): Promise<Blob> {
  const webp = await toCanvasBlob(canvas, 'image/webp');
  return webp.type === 'image/webp' ? webp : toCanvasBlob(canvas, 'image/jpeg');
}

function toCanvasBlob(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob(blob => (blob ? resolve(blob) : reject(new Error('The image cannot be encoded.'))), type, QUALITY);
  });
}

function toDataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('The file cannot be read.'));
    reader.readAsDataURL(blob);
  });
}

/** Bytes behind a data: address in base64. */
const bytesOf = (src: string): number => Math.floor(((src.length - src.indexOf(',') - 1) * 3) / 4);

function toBlob(src: string): Blob {
  const [head = '', base64 = ''] = src.split(',');
  const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0));
  return new Blob([bytes], { type: head.slice('data:'.length).replace(';base64', '') });
}

/** Reads images that the gateway stores, to send them once more. Rejects when an image is gone. */
export function readSentImages(addresses: readonly string[]): Promise<DraftImage[]> {
  return Promise.all(
    addresses.map(async address => {
      if (address.startsWith('data:')) return { id: createUniqueId(), name: '', src: address };
      const response = await fetch(address, { headers: keyHeaders() });
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      return { id: createUniqueId(), name: '', src: await toDataUrl(await response.blob()) };
    }),
  );
}

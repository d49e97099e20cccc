/** Fetches images of other servers for pages, so that these servers learn neither the address nor the login of the reader. */
import { LRUCache } from 'lru-cache';
import { AppError, invalidField } from '../../errors';
import { MAX_IMAGE_BYTES } from '../../port/image_input';
import { type PageFetcher, WebError } from '../../port/web';
import { SharedLoad } from './shared_load';

export interface ForeignImage {
  mediaType: string;
  bytes: Buffer;
}

/** The services of this feature, by the names under which its controllers inject them. */
export interface ImageProxyServices {
  imageProxy: ImageProxy;
}

/** Types that browsers show in an image element. */
export const FOREIGN_IMAGE_TYPES = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'image/svg+xml',
  'image/x-icon',
  'image/vnd.microsoft.icon',
] as const;
/** Seconds for which an image is kept here and in browsers. */
export const KEPT_S = 300;
const KEPT_BYTES = 32 * 1024 * 1024;
/** Images that a tenant loads at once: each holds up to MAX_IMAGE_BYTES in memory, for up to 15 seconds. */
const MAX_AT_ONCE = 8;

export class ImageProxy {
  private readonly images = new LRUCache<string, ForeignImage>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length + 1,
    ttl: KEPT_S * 1_000,
  });

  /** The images that are being loaded, by tenant and address. */
  private readonly loads = new Map<string, SharedLoad<ForeignImage>>();

  constructor(private readonly web: PageFetcher) {}

  /**
   * Fetches the image, or takes it from the cache of the tenant. Requests of a tenant for the same image share one load. Rejects `invalid_request` for an
   * address that may not be reached or has no image, `too_large`, `rate_limited` while the tenant loads MAX_AT_ONCE other images, or with the reason of
   * the signal.
   */
  async fetchImage(tenantId: string, url: string, signal: AbortSignal): Promise<ForeignImage> {
    const key = `${tenantId} ${url}`;
    const kept = this.images.get(key);
    if (kept) return kept;
    const open = this.loads.get(key);
    const load = open && !open.isStopped ? open : this.begin(tenantId, url, key);
    return load.read(signal);
  }

  private begin(tenantId: string, url: string, key: string): SharedLoad<ForeignImage> {
    const count = [...this.loads.keys()].filter(other => other.startsWith(`${tenantId} `)).length;
    if (count >= MAX_AT_ONCE) throw new AppError('rate_limited', { retryAfterMs: 1_000 });
    const load: SharedLoad<ForeignImage> = new SharedLoad(async signal => {
      try {
        const image = await this.load(url, signal);
        this.images.set(key, image);
        return image;
      } finally {
        if (this.loads.get(key) === load) this.loads.delete(key);
      }
    });
    this.loads.set(key, load);
    return load;
  }

  private async load(url: string, signal: AbortSignal): Promise<ForeignImage> {
    const { status, contentType, bytes, clipped } = await this.web.fetch(url, signal, MAX_IMAGE_BYTES).catch(asInvalid);
    if (status !== 200) throw noImage(`the server answered ${status}`, `服务器返回了 ${status}`);
    const mediaType = contentType.split(';')[0]?.trim().toLowerCase();
    if (!FOREIGN_IMAGE_TYPES.some(type => type === mediaType)) throw noImage('the server sent no image', '服务器发来的不是图片');
    if (clipped) throw tooLarge();
    return { mediaType: mediaType ?? '', bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
  }
}

function asInvalid(thrown: unknown): never {
  if (!(thrown instanceof WebError)) throw thrown;
  throw invalidField('/url', thrown.message, thrown.messageZh, { cause: thrown });
}

const noImage = (rule: string, ruleZh: string): AppError => invalidField('/url', `${rule}.`, `${ruleZh}。`);

const tooLarge = (): AppError =>
  new AppError('too_large', {
    param: '/url',
    message: `/url: the image has more than ${MAX_IMAGE_BYTES / 1024 / 1024} MiB.`,
    messageZh: `/url：图片超过 ${MAX_IMAGE_BYTES / 1024 / 1024} MiB。`,
  });

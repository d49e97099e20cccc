/** Images that people send with their messages: read from a request, and given back by session. */
import { AppError } from '../../errors';
import type { IdSource } from '../../port/clock';
import { type ImageInput, toReference, type WrittenImages } from '../../port/image_input';
import type { ChatMessage, ImageReference } from '../../port/llm';
import type { ImageRecord } from '../../port/store/images';
import type { ReadableStore } from '../../port/store/store';
import type { PageFetcher } from '../../port/web';
import type { Workspaces } from '../../port/workspaces';
import { mapLimited } from '../../utils/map_limited';
import type { Slot } from '../../utils/slot';
import type { FirstMessages, GivenMessages } from '../run/given_messages';
import type { WorkspaceSync } from '../workspace/workspace_sync';
import { type ImageUrl, readImageUrls } from './read_image_urls';
import { readImages } from './read_images';

export interface ImageServiceDeps {
  store: ReadableStore<'images'>;
  workspaces: Workspaces;
  workspaceSync: Slot<WorkspaceSync>;
  ids: IdSource;
  web: PageFetcher;
}

/** An image that a message names by a URL. */
export interface NamedImage extends ImageUrl {
  message: ChatMessage;
}

export class ImageService {
  constructor(private readonly deps: ImageServiceDeps) {}

  /** Paths are those of the tenant's workspace. Rejects `invalid_request` or `too_large`, and names the field. Stores nothing. */
  async readImages(tenantId: string, written: WrittenImages): Promise<ImageInput[]> {
    if (written.some(({ path }) => path !== undefined)) await this.deps.workspaceSync.current.bring(tenantId);
    const images = await readImages(written, this.deps.workspaces.workspaceOf(tenantId).workspace);
    return images.map(image => ({ id: this.deps.ids.next('img'), ...image }));
  }

  /**
   * Reads the images that given messages name, and returns the messages with references to them. Images of other messages are left out. Rejects as
   * readImageUrls does.
   */
  async attachImages(given: GivenMessages, named: readonly NamedImage[], signal: AbortSignal): Promise<FirstMessages> {
    const all = new Set([...given.earlier, ...given.turn]);
    const wanted = named.filter(({ message }) => all.has(message));
    if (wanted.length === 0) return { given };
    const images = await this.readImageUrls(wanted, signal);
    const refer = (message: ChatMessage): ChatMessage => {
      const own = images.filter((_, i) => wanted[i]?.message === message);
      return message.role === 'user' && own.length > 0 ? { ...message, images: own.map(toReference) } : message;
    };
    return { given: { ...given, earlier: given.earlier.map(refer), turn: given.turn.map(refer) }, images };
  }

  /** Reads images from data URLs and from the public web. Rejects `invalid_request` or `too_large`, and names the field of the URL. Stores nothing. */
  private async readImageUrls(images: readonly ImageUrl[], signal: AbortSignal): Promise<ImageInput[]> {
    const read = await readImageUrls(images, this.deps.web, signal);
    return read.map(image => ({ id: this.deps.ids.next('img'), ...image }));
  }

  /** Reads stored images of a message, for another message. Rejects `not_found`. Stores nothing. */
  copyImages(tenantId: string, sessionId: string, references: readonly ImageReference[]): Promise<ImageInput[]> {
    return mapLimited(references, 1, async ({ id }) => {
      const { mediaType, bytes } = await this.getImage(tenantId, sessionId, id);
      return { id: this.deps.ids.next('img'), mediaType, bytes };
    });
  }

  /** Reads an image of a session. Rejects `not_found`, also for another tenant's image. */
  async getImage(tenantId: string, sessionId: string, id: string): Promise<ImageRecord> {
    const image = await this.deps.store.read.images.get(tenantId, sessionId, id);
    if (!image)
      throw new AppError('not_found', { param: '/imageId', message: 'The session has no such image.', messageZh: '会话中没有这张图片。' });
    return image;
  }
}

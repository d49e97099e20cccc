/** Images that people send with their messages: read from a request, and given back by session. */
import { AppError } from '../../errors';
import type { IdSource } from '../../port/clock';
import { type FileInput, type ImageInput, toFileReference, toReference, type WrittenImages } from '../../port/image_input';
import { type ChatMessage, type FileReference, IMAGE_MEDIA_TYPES, type ImageReference } from '../../port/llm';
import type { ImageRecord } from '../../port/store/images';
import type { ReadableStore } from '../../port/store/store';
import type { PageExtractor, PageFetcher } from '../../port/web';
import type { Workspaces } from '../../port/workspaces';
import { mapLimited } from '../../utils/map_limited';
import type { Slot } from '../../utils/slot';
import type { FirstMessages, GivenMessages } from '../run/given_messages';
import type { WorkspaceSync } from '../workspace/workspace_sync';
import { readFileUrls } from './read_file_urls';
import { type ImageUrl, readImageUrls } from './read_image_urls';
import { readImages } from './read_images';

export interface ImageServiceDeps {
  store: ReadableStore<'images'>;
  workspaces: Workspaces;
  workspaceSync: Slot<WorkspaceSync>;
  ids: IdSource;
  web: PageFetcher & PageExtractor;
}

/** An image, or a PDF file, that a message names by a URL. */
export interface NamedImage extends ImageUrl {
  message: ChatMessage;
  /** Present for a file. `hasText`: the message says where its text is. */
  file?: { name?: string; hasText?: true };
}

/** An image that a session keeps. */
type StoredImage = ImageRecord & Pick<ImageReference, 'mediaType'>;

const isImage = (record: ImageRecord): record is StoredImage => IMAGE_MEDIA_TYPES.some(type => type === record.mediaType);

export class ImageService {
  constructor(private readonly deps: ImageServiceDeps) {}

  /** Paths are those of the tenant's workspace. Rejects `invalid_request` or `too_large`, and names the field. Stores nothing. */
  async readImages(tenantId: string, written: WrittenImages): Promise<ImageInput[]> {
    if (written.some(({ path }) => path !== undefined)) await this.deps.workspaceSync.current.bring(tenantId);
    const images = await readImages(written, this.deps.workspaces.workspaceOf(tenantId).workspace);
    return images.map(image => ({ id: this.deps.ids.next('img'), ...image }));
  }

  /**
   * Reads the images and files that given messages name, and returns the messages with references to them. Those of other messages are left out.
   * Rejects as readImageUrls and readFileUrls do.
   */
  async attachImages(given: GivenMessages, named: readonly NamedImage[], signal: AbortSignal): Promise<FirstMessages> {
    const all = new Set([...given.earlier, ...given.turn]);
    const wanted = named.filter(({ message }) => all.has(message));
    if (wanted.length === 0) return { given };
    const namedImages = wanted.filter(({ file }) => !file);
    const namedFiles = wanted.filter(({ file }) => file);
    const images = await this.readImageUrls(namedImages, signal);
    const files = await this.readFileUrls(namedFiles, signal);
    const refer = (message: ChatMessage): ChatMessage => {
      if (message.role !== 'user') return message;
      const ownImages = images.filter((_, i) => namedImages[i]?.message === message).map(toReference);
      const ownFiles = files.filter((_, i) => namedFiles[i]?.message === message).map(toFileReference);
      if (ownImages.length === 0 && ownFiles.length === 0) return message;
      return { ...message, ...(ownImages.length > 0 && { images: ownImages }), ...(ownFiles.length > 0 && { files: ownFiles }) };
    };
    return {
      given: { ...given, earlier: given.earlier.map(refer), turn: given.turn.map(refer) },
      images: images.length > 0 ? images : undefined,
      files: files.length > 0 ? files : undefined,
    };
  }

  /** Reads PDF files from data URLs and from the public web, like readImageUrls. */
  private async readFileUrls(named: readonly NamedImage[], signal: AbortSignal): Promise<FileInput[]> {
    const read = await readFileUrls(named, this.deps.web, signal);
    return read.map(file => ({ id: this.deps.ids.next('img'), ...file }));
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

  /** Reads stored files of a message, like copyImages. */
  copyFiles(tenantId: string, sessionId: string, references: readonly FileReference[]): Promise<FileInput[]> {
    return mapLimited(references, 1, async reference => {
      const record = await this.deps.store.read.images.get(tenantId, sessionId, reference.id);
      if (!record) throw noImage();
      return { ...reference, id: this.deps.ids.next('img'), bytes: record.bytes };
    });
  }

  /** Reads an image of a session. Rejects `not_found`, also for another tenant's image. */
  async getImage(tenantId: string, sessionId: string, id: string): Promise<StoredImage> {
    const image = await this.deps.store.read.images.get(tenantId, sessionId, id);
    if (!image || !isImage(image)) throw noImage();
    return image;
  }
}

const noImage = (): AppError =>
  new AppError('not_found', { param: '/imageId', message: 'The session has no such image.', messageZh: '会话中没有这张图片。' });

/** Images and PDF files that people send with their messages: read from a request, and given back by session. */
import { AppError } from '../../errors';
import type { IdSource } from '../../port/clock';
import {
  type Attachments,
  type FileInput,
  type ImageInput,
  MAX_ALL_FILE_BYTES,
  toFileReference,
  toReference,
  type WrittenAttachments,
} from '../../port/image_input';
import { type ChatMessage, type FileReference, IMAGE_MEDIA_TYPES, type ImageReference } from '../../port/llm';
import type { ImageRecord } from '../../port/store/images';
import type { ReadableStore } from '../../port/store/store';
import type { PageExtractor, PageFetcher } from '../../port/web';
import type { Workspaces } from '../../port/workspaces';
import { mapLimited } from '../../utils/map_limited';
import type { Slot } from '../../utils/slot';
import type { AccessCaller } from '../access/session_access';
import type { FirstMessages, GivenMessages } from '../run/given_messages';
import type { WorkspaceSync } from '../workspace/workspace_sync';
import { readFileUrls } from './read_file_urls';
import { readFiles } from './read_files';
import { type ImageUrl, readImageUrls } from './read_image_urls';
import { readImages } from './read_images';
import type { Uploads } from './uploads';

export interface ImageServiceDeps {
  store: ReadableStore<'images'>;
  workspaces: Workspaces;
  workspaceSync: Slot<WorkspaceSync>;
  ids: IdSource;
  web: PageFetcher & PageExtractor;
  uploads: Slot<Uploads>;
}

/** An image, or a PDF file, that a request names by a URL. */
export interface NamedUrl extends ImageUrl {
  /** Present for a file. `hasText`: the message says where its text is. */
  file?: { name?: string; hasText?: true } | undefined;
  /** The id of an uploaded file, which has the bytes: `url` only tells apart what the request names. */
  fileId?: string;
}

export interface NamedImage extends NamedUrl {
  message: ChatMessage;
}

export interface NamedAttachments {
  images: readonly NamedUrl[];
  files: readonly NamedUrl[];
}

const FILES_MS = 30_000;

/** A file that a session keeps. */
type StoredFile = ImageRecord & Pick<FileReference, 'mediaType'>;

/** An image that a session keeps. */
type StoredImage = ImageRecord & Pick<ImageReference, 'mediaType'>;

const isFile = (record: ImageRecord): record is StoredFile => record.mediaType === 'application/pdf';

const isImage = (record: ImageRecord): record is StoredImage => IMAGE_MEDIA_TYPES.some(type => type === record.mediaType);

export class ImageService {
  constructor(private readonly deps: ImageServiceDeps) {}

  /**
   * Reads the images and files of a message. Paths are those of the tenant's workspace. Rejects `invalid_request` or `too_large`, and names the field.
   * Stores nothing.
   */
  async readAttachments(tenantId: string, { images, files }: WrittenAttachments): Promise<Attachments> {
    if (!images && !files) return {};
    const { ids, web, workspaces, workspaceSync } = this.deps;
    if ([...(images ?? []), ...(files ?? [])].some(({ path }) => path !== undefined)) await workspaceSync.current.bring(tenantId);
    const { workspace } = workspaces.workspaceOf(tenantId);
    const named = <T>(input: T) => ({ id: ids.next('img'), ...input });
    const readImageList = images && (await readImages(images, workspace));
    const readFileList = files && (await readFiles(files, { workspace, web, signal: AbortSignal.timeout(FILES_MS) }));
    return { images: readImageList?.map(named), files: readFileList?.map(named) };
  }

  /**
   * Reads the images and files that given messages name, and returns the messages with references to them. Those of other messages are left out.
   * Rejects as readNamed does.
   */
  async attachImages(
    given: GivenMessages,
    named: readonly NamedImage[],
    { signal, ...caller }: AccessCaller & { signal: AbortSignal },
  ): Promise<FirstMessages> {
    const all = new Set([...given.earlier, ...given.turn]);
    const wanted = named.filter(({ message }) => all.has(message));
    if (wanted.length === 0) return { given };
    const namedImages = wanted.filter(({ file }) => !file);
    const namedFiles = wanted.filter(({ file }) => file);
    const { images = [], files = [] } = await this.readNamed(caller, { images: namedImages, files: namedFiles }, signal);
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

  /**
   * Reads images and PDF files from data URLs, from the public web and from uploaded files. Rejects `invalid_request`, `too_large`, or `not_found` for
   * an uploaded file that the caller does not see, and names the field. Stores nothing.
   */
  async readNamed(caller: AccessCaller, { images, files }: NamedAttachments, signal: AbortSignal): Promise<Attachments> {
    const { ids, web } = this.deps;
    const resolve = (all: readonly NamedUrl[]) => mapLimited(all, 1, named => this.withBytes(caller, named));
    const readImages = await readImageUrls(await resolve(images), web, signal);
    const readFiles = await readFileUrls(await resolve(files), web, signal);
    const named = <T>(input: T) => ({ id: ids.next('img'), ...input });
    return {
      images: readImages.length > 0 ? readImages.map(named) : undefined,
      files: readFiles.length > 0 ? readFiles.map(named) : undefined,
    };
  }

  /** Puts the bytes of an uploaded file in the place of its id. */
  private async withBytes(caller: AccessCaller, named: NamedUrl): Promise<NamedUrl> {
    if (named.fileId === undefined) return named;
    const { name, bytes } = await this.deps.uploads.current.readUpload(caller, named.fileId, {
      at: named.at,
      maxBytes: MAX_ALL_FILE_BYTES,
    });
    const url = `data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}`;
    return { ...named, url, file: named.file && { ...named.file, name: named.file.name ?? name } };
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

  /** Reads a file of a session. Rejects `not_found`, also for another tenant's file. */
  async getFile(tenantId: string, sessionId: string, id: string): Promise<StoredFile> {
    const file = await this.deps.store.read.images.get(tenantId, sessionId, id);
    if (!file || !isFile(file)) throw noFile();
    return file;
  }
}

const noImage = (): AppError =>
  new AppError('not_found', { param: '/imageId', message: 'The session has no such image.', messageZh: '会话中没有这张图片。' });

const noFile = (): AppError =>
  new AppError('not_found', { param: '/fileId', message: 'The session has no such file.', messageZh: '会话中没有这个文件。' });

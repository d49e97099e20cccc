/** Images that people send with their messages: read from a request, and given back by session. */
import { AppError } from '../../errors';
import type { IdSource } from '../../port/clock';
import type { ImageInput, WrittenImages } from '../../port/image_input';
import type { ImageReader, ImageRecord } from '../../port/store/images';
import type { ReadableStore } from '../../port/store/store';
import type { Workspaces } from '../../port/workspaces';

export interface ImageServiceDeps {
  store: ReadableStore<ImageReader>;
  workspaces: Workspaces;
  ids: IdSource;
}

export class ImageService {
  constructor(private readonly deps: ImageServiceDeps) {}

  /** Paths are those of the tenant's workspace. Rejects `invalid_request` or `too_large`, and names the field. Stores nothing. */
  async readImages(tenantId: string, written: WrittenImages): Promise<ImageInput[]> {
    const { readImages }: typeof import('./read_images') = require('./read_images');
    const images = await readImages(written, this.deps.workspaces.workspaceOf(tenantId).workspace);
    return images.map(image => ({ id: this.deps.ids.next('img'), ...image }));
  }

  /** Rejects `not_found`, also for another tenant's image. */
  async getImage(tenantId: string, sessionId: string, id: string): Promise<ImageRecord> {
    const image = await this.deps.store.read.getImage(tenantId, sessionId, id);
    if (!image)
      throw new AppError('not_found', { param: '/imageId', message: 'The session has no such image.', messageZh: '会话中没有这张图片。' });
    return image;
  }
}

/** Holds the images of results to their limits, for one run. */
import { imageTypeOf, MAX_ALL_IMAGE_BYTES, MAX_IMAGE_BYTES, MAX_IMAGES } from '../../port/image_input';
import type { ImageReference } from '../../port/llm';
import { inLocale, type ToolContext, type ToolImage, type ToolResult } from '../../tools/common';
import type { ToolRunnerParams } from './runner_params';

/** Bytes of all images that the results of a run may have, because the session keeps them. */
const MAX_RUN_BYTES = 100 * 1024 * 1024;
const MIB = 1024 * 1024;

interface AttachedImages {
  /** References to the stored images. */
  images?: ImageReference[];
  /** Tells the model which images were left out. */
  note?: string;
}

export class ResultImages {
  private runBytes = 0;

  constructor(
    private readonly store: ToolRunnerParams['storeImages'],
    private readonly ctx: Pick<ToolContext, 'locale'>,
  ) {}

  /** Stores the images of a result with its event, as far as the limits allow. */
  attach({ images = [] }: Pick<ToolResult, 'images'>): AttachedImages {
    if (!this.store || images.length === 0) return {};
    const kept = this.withinLimits(images);
    const left = images.length - kept.length;
    return { images: kept.length > 0 ? this.store(kept) : undefined, note: left > 0 ? this.leftOut(left) : undefined };
  }

  private withinLimits(images: readonly ToolImage[]): ToolImage[] {
    let bytes = 0;
    return images.slice(0, MAX_IMAGES).filter(image => {
      const { length } = image.bytes;
      const isTooLarge = length > MAX_IMAGE_BYTES || bytes + length > MAX_ALL_IMAGE_BYTES || this.runBytes + length > MAX_RUN_BYTES;
      if (isTooLarge || imageTypeOf(image.bytes) !== image.mediaType) return false;
      bytes += length;
      this.runBytes += length;
      return true;
    });
  }

  private leftOut(count: number): string {
    const each = MAX_IMAGE_BYTES / MIB;
    const all = MAX_ALL_IMAGE_BYTES / MIB;
    const run = MAX_RUN_BYTES / MIB;
    return inLocale(
      this.ctx,
      `[Images left out: ${count}. A result may have ${MAX_IMAGES} images (png, jpeg, webp or gif) of ${each} MiB each and ${all} MiB together, and a run ${run} MiB.]`,
      `[未附上的图片：${count} 张。一个结果最多 ${MAX_IMAGES} 张图片（png、jpeg、webp 或 gif），每张 ${each} MiB，合计 ${all} MiB；一次运行合计 ${run} MiB。]`,
    );
  }
}

/** Reads the images of a recorded run for a model that can see. The recording has their ids; the session keeps their bytes. */
import { AppError } from '../../../errors';
import type { ReadImage } from '../../../port/llm';
import type { ReadableStore } from '../../../port/store/store';

/** The returned function rejects `not_recorded` when the image is gone: the model would judge a picture that it has not seen. */
export function createImageReader({ read }: ReadableStore<'runs' | 'images'>, tenantId: string, runId: string): ReadImage {
  return async id => {
    const run = await read.runs.get(tenantId, runId);
    const image = run && (await read.images.get(tenantId, run.sessionId, id));
    if (!image) throw imageGone(runId);
    return image.bytes;
  };
}

const imageGone = (runId: string): AppError =>
  new AppError('not_recorded', {
    message: `The images of run ${runId} were deleted with its session, so no model can see them. Replay it with the recorded answers.`,
    messageZh: `运行 ${runId} 的图片已随会话删除，模型无法看到它们。请用录制的回答重放。`,
  });

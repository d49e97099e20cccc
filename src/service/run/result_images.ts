/** Stores the images of tool results among those of the session. */
import type { Clock, IdSource } from '../../port/clock';
import { toReference } from '../../port/image_input';
import type { ImageReference } from '../../port/llm';
import type { LogError } from '../../port/logger';
import type { ToolImage } from '../../tools/common';
import type { RunTurn } from './run_turn';

interface ResultImagesDeps {
  clock: Clock;
  ids: IdSource;
  onError: LogError;
}

/** Stores the images in the transaction of the next event, or an earlier one, and returns their references. */
export function storeResultImages(
  { run: { tenantId, sessionId }, writer }: Pick<RunTurn, 'run' | 'writer'>,
  images: readonly ToolImage[],
  { clock, ids, onError }: ResultImagesDeps,
): ImageReference[] {
  const named = images.map(image => ({ id: ids.next('img'), ...image }));
  const createdAt = clock.now();
  writer.writeWithNext(
    async tx => {
      for (const image of named) await tx.images.insert({ tenantId, sessionId, ...image, createdAt });
    },
    thrown => onError('the images of a tool result were not stored', thrown, { tenant: tenantId }),
  );
  return named.map(toReference);
}

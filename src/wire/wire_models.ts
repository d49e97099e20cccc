/** Encodes models: no address and no key. */
import type { ModelStatus } from '../service/model/model_supervisor';

const LEVELS = ['minimal', 'low', 'medium', 'high'] as const;

export function toWireModel({ model, contextWindow, state, reason, retryAt, isDefault }: ModelStatus) {
  const { id, label, price, reasoning } = model.definition;
  const { info } = model.client;
  return {
    id,
    label,
    provider: info.provider,
    model: info.model,
    default: isDefault,
    demo: info.demo || undefined,
    contextWindow,
    images: model.definition.images === true,
    files: model.definition.files === true,
    reasoningLevels: LEVELS.filter(level => !reasoning || reasoning[level]),
    price,
    state,
    reason,
    retryAt: retryAt === undefined ? undefined : new Date(retryAt).toISOString(),
  };
}

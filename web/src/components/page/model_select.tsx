import { useEffect } from 'preact/hooks';
import type { ModelSummary } from '../../api/rest_types';
import type { ChatController } from '../../chat/chat_controller';
import { formatWhen } from '../../i18n/format';
import { useLocale, useMessages } from '../../i18n/language_context';
import { useStore } from '../../platform/store';
import { Icon } from '../basic/icon';

/** Characters of a reason inside the list of models; the mark beside the list shows all of it. */
const MAX_REASON = 70;

/** Chooses the model of this chat. Models that fail stay in the list and say why: others stand in for them. */
export function ModelSelect({ controller }: { controller: ChatController }) {
  const messages = useMessages();
  const locale = useLocale();
  const { store } = controller;
  const models = useStore(store, state => state.models);
  const chosen = useStore(store, state => state.model);
  const agentModel = useAgentModel(controller);
  useEffect(() => void controller.loadAgents(), [controller]);
  const standard = models.find(({ id }) => id === agentModel) ?? models.find(model => model.default);
  const current = chosen === undefined ? standard : models.find(({ id }) => id === chosen);
  const describe = (model: ModelSummary) => messages.modelState[model.state](whenOf(model, locale), model.reason ?? '');
  const toText = (name: string, model: ModelSummary) => (model.state === 'ok' ? name : messages.modelOption(name, clip(describe(model))));
  return (
    <span class="model-select">
      <select
        class="quiet-select"
        value={chosen ?? ''}
        aria-label={messages.model}
        title={messages.model}
        data-testid="model-select"
        onFocus={() => void controller.loadModels()}
        onChange={event => void controller.chooseModel(event.currentTarget.value || undefined)}
      >
        {standard && <option value="">{toText(messages.standardModel(nameOf(standard)), standard)}</option>}
        {models.map(model => (
          <option key={model.id} value={model.id}>
            {toText(nameOf(model), model)}
          </option>
        ))}
        {chosen !== undefined && !current && <option value={chosen}>{messages.modelOption(chosen, messages.modelGone)}</option>}
      </select>
      {current && current.state !== 'ok' && (
        <span class="model-problem" role="img" title={describe(current)} aria-label={describe(current)} data-testid="model-problem">
          <Icon name="alert" />
        </span>
      )}
    </span>
  );
}

/** Returns the id of the model that runs of the chat's agent use, once the agents are read. */
function useAgentModel({ store }: ChatController): string | undefined {
  const agent = useStore(store, ({ openSession, sessionId }) => (openSession?.id === sessionId && openSession?.agent) || 'default');
  return useStore(store, state => state.agents?.find(({ name }) => name === agent)?.model);
}

const nameOf = ({ id, label }: ModelSummary): string => label ?? id;

const whenOf = ({ retryAt }: ModelSummary, locale: Parameters<typeof formatWhen>[2]): string =>
  retryAt ? formatWhen(retryAt, new Date(), locale) : '';

const clip = (text: string): string => (text.length > MAX_REASON ? `${text.slice(0, MAX_REASON)}…` : text);

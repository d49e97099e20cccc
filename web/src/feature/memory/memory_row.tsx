import { RequestError } from '../../api/request_error';
import type { ChatController } from '../../chat/chat_controller';
import { RelativeTime } from '../../components/basic/relative_time';
import { EditableRow } from '../../components/list/editable_row';
import { useLocale, useMessages } from '../../i18n/language_context';
import { onPlainClick } from '../../platform/plain_click';
import { ROOT } from '../../platform/root';
import { type Memory, showMemoryTo } from './memory_api';
import { MemoryForm } from './memory_form';
import { memoryTexts } from './memory_texts';

/** Characters of a memory that name it to screen readers. */
const MAX_NAME = 60;

interface MemoryRowProps {
  memory: Memory;
  controller: ChatController;
  /** undefined: this person no longer sees the memory. */
  onChange: (memory: Memory | undefined) => void;
  onForget: () => void;
}

/** Shows one memory, or the form that edits it. */
export function MemoryRow({ memory, controller, onChange, onForget }: MemoryRowProps) {
  const texts = memoryTexts[useLocale()];
  const form = (close: () => void) => (
    <MemoryForm
      memory={memory}
      onSaved={next => {
        close();
        onChange(next);
      }}
      onBack={close}
    />
  );
  return (
    <EditableRow
      testId="memory"
      data={{ 'data-kind': memory.kind }}
      name={memory.text.slice(0, MAX_NAME)}
      edit={texts.editMemory}
      remove={{ label: texts.forget, testId: 'forget-memory' }}
      onRemove={onForget}
      form={form}
      actions={memory.owner && <SharingButton memory={memory} controller={controller} onChange={onChange} />}
    >
      <p class="memory-text">{memory.text}</p>
      <Facts memory={memory} controller={controller} />
    </EditableRow>
  );
}

/** Shows a memory to everybody in the tenant, or takes it back. */
function SharingButton({ memory: { id, visibility }, controller, onChange }: Pick<MemoryRowProps, 'memory' | 'controller' | 'onChange'>) {
  const messages = useMessages();
  const texts = memoryTexts[useLocale()];
  const isPrivate = visibility === 'private';
  const change = () =>
    showMemoryTo(id, isPrivate ? 'tenant' : 'private').then(onChange, (error: unknown) =>
      controller.notify(error instanceof RequestError ? error.message : messages.requestFailed),
    );
  return (
    <button type="button" class="link-button" data-testid="share-memory" onClick={() => void change()}>
      {isPrivate ? texts.showToAll : texts.keepToMyself}
    </button>
  );
}

/** Shows the kind, where the memory comes from, and when it was changed and used. */
function Facts({ memory, controller }: Pick<MemoryRowProps, 'memory' | 'controller'>) {
  const texts = memoryTexts[useLocale()];
  const { source, updatedAt, lastUsedAt, owner, visibility } = memory;
  const { sessionId } = source;
  return (
    <p class="row-facts">
      <span class="tag">{texts.kind[memory.kind]}</span>
      {owner && visibility && (
        <span class="tag" data-testid="memory-visibility" title={owner}>
          {texts.visibility[visibility]}
        </span>
      )}
      {source.tainted && (
        <span class="tag warn" title={texts.taintedTitle}>
          {texts.tainted}
        </span>
      )}
      <span>
        {source.by === 'person' ? texts.byPerson : texts.byAgent}
        {sessionId && (
          <>
            {' '}
            <a href={`${ROOT}?session=${encodeURIComponent(sessionId)}`} onClick={onPlainClick(() => controller.open(sessionId))}>
              {texts.inChat}
            </a>
          </>
        )}
      </span>
      <span>
        {texts.changed} <RelativeTime iso={updatedAt} />
      </span>
      {lastUsedAt && (
        <span>
          {texts.lastUsed} <RelativeTime iso={lastUsedAt} />
        </span>
      )}
    </p>
  );
}
